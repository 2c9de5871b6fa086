// Which writing of a tenant's documents the graph shows
// params: $tenant STRING
// mode: read
// returns: epoch (of this history of versions; null if it has none, or while a backup is being restored), version
MATCH (r:Tenant {tenant: $tenant})
RETURN
  CASE
    WHEN r.restoring THEN null
    ELSE r.epoch
  END AS epoch,
  r.version AS version