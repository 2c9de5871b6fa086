// Take the tenant's turn to rebuild vectors, unless another run holds it
// params: $tenant STRING, $owner STRING, $now INTEGER, $until INTEGER
// mode: write
// returns: chunks (how many chunks there are), models (whose vectors all of them have); no row if the turn is taken
MERGE (r:Tenant {tenant: $tenant})
  ON CREATE SET r.version = 0
SET r.vectorLock = true
WITH r
WHERE
  r.vectorOwner IS NULL OR
  r.vectorOwner = $owner OR
  coalesce(r.vectorUntil, 0) < $now
SET r.vectorOwner = $owner, r.vectorUntil = $until
RETURN coalesce(r.chunks, 0) AS chunks, coalesce(r.vectorModels, []) AS models