// Create the node of a tenant that is new
// params: $tenant STRING
// mode: write
// returns: nothing
// note: Versions begin with the time, so that no version of a tenant that was removed comes again: processes know their copies by it.
MERGE (r:Tenant {tenant: $tenant})
  ON CREATE SET r.version = timestamp(), r.epoch = randomUUID()