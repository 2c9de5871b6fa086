// Take the tenant's write lock and begin the next version of its registry
// params: $tenant STRING
// mode: write
// returns: version (the new one)
MERGE (r:Registry {tenant: $tenant})
  ON CREATE SET r.version = 0
SET r.version = r.version + 1
RETURN r.version AS version