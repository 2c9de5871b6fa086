// Create the node of a tenant that is new
// params: $tenant STRING
// mode: write
// returns: nothing
MERGE (r:Tenant {tenant: $tenant})
  ON CREATE SET r.version = 0, r.epoch = randomUUID()