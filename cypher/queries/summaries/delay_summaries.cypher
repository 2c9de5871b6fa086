// Let the description of a tenant's entities and communities wait, with the reason and how many texts are left
// params: $tenant STRING, $delayMs INTEGER, $reason STRING, $left INTEGER
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET
  r.summariesDueAt = timestamp() + $delayMs,
  r.summariesReason = $reason,
  r.summariesLeft = $left