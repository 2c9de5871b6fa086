// Let the description of a tenant's entities and communities wait, with the reason
// params: $tenant STRING, $delayMs INTEGER, $reason STRING
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET r.summariesDueAt = timestamp() + $delayMs, r.summariesReason = $reason