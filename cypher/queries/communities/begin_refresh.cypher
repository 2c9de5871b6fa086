// Take the tenant's turn to refresh communities, unless another run holds it
// params: $tenant STRING, $owner STRING, $seconds INTEGER
// mode: write
// returns: version of the names now; graph (signature of what the communities were made of), modularity (of them); no row if the turn is taken
MERGE (r:Tenant {tenant: $tenant})
  ON CREATE SET r.version = 0
SET r.communitiesLock = true
WITH r
WHERE
  r.communitiesOwner IS NULL OR
  r.communitiesOwner = $owner OR
  r.communitiesUntil < timestamp()
SET
  r.communitiesOwner = $owner,
  r.communitiesUntil = timestamp() + 1000 * $seconds
RETURN
  r.version AS version,
  r.communitiesGraph AS graph,
  r.communitiesModularity AS modularity