// Note which entities' names this version of the registry changed and by how many the chunks grew; forget the oldest notes
// params: $tenant STRING, $version INTEGER, $entityIds LIST<STRING>, $keep INTEGER, $chunks INTEGER
// mode: write
// returns: nothing
CREATE
  (:GazetteerChange {tenant: $tenant, version: $version, entityIds: $entityIds})
WITH 1 AS done
MATCH (r:Tenant {tenant: $tenant})
SET r.chunks = coalesce(r.chunks, 0) + $chunks
WITH r
MATCH (old:GazetteerChange {tenant: $tenant, version: $version - $keep})
DELETE old