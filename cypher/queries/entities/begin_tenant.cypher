// Make a new tenant's registry
// params: $tenant STRING
// mode: write
// returns: nothing
MERGE (r:Tenant {tenant: $tenant})
  ON CREATE SET r.version = 0, r.epoch = randomUUID()