// Mark a tenant as being removed: every transaction that takes its write lock refuses from now on
// params: $tenant STRING
// mode: write
// returns: nothing
MERGE (r:Tenant {tenant: $tenant})
  ON CREATE SET r.version = timestamp(), r.epoch = randomUUID()
SET r.removing = coalesce(r.removing, timestamp())