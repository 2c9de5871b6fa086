// Let a tenant's documents wait, or go on
// params: $tenant STRING, $paused BOOLEAN
// mode: write
// returns: nothing
MATCH (t:Tenant {tenant: $tenant})
SET t.extractionPaused =
    CASE
      WHEN $paused THEN true
      ELSE null
    END