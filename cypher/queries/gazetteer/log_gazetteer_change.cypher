// Record which entities this version of the gazetteer changed and by how many the chunks grew; drop the oldest record
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