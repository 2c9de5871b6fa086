// Mark a tenant as being restored, with a new epoch: what processes have cached of it is void
// params: $tenant STRING
// mode: write
// returns: nothing
MERGE (r:Tenant {tenant: $tenant})
SET
  r.version = coalesce(r.version, timestamp()) + 1,
  r.epoch = randomUUID(),
  r.restoring = true,
  r.restoredFrom = null,
  r.chunks = 0,
  r.vectorModels = []