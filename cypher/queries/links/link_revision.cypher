// The revision of a tenant's documents, which changes with every write
// params: $tenant STRING
// mode: read
// reader: operators because links are read whole
// returns: epoch STRING?, version INTEGER
// note: ``epoch`` is null if the tenant has none, or while a backup is being restored.
// rows: optional
MATCH (r:Tenant {tenant: $tenant})
RETURN
  CASE
    WHEN r.restoring THEN null
    ELSE r.epoch
  END AS epoch,
  r.version AS version