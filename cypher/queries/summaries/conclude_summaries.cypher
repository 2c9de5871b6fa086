// Note that a tenant's entities and communities were described
// params: $tenant STRING, $version INTEGER, $key STRING
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET
  r.summariesVersion = $version,
  r.summariesKey = $key,
  r.summariesDueAt = null,
  r.summariesReason = null,
  r.summariesLeft = null