// Note which entities' names this version of the registry changed and by how many the passages grew; forget the oldest notes
// params: $tenant STRING, $version INTEGER, $entityIds LIST<STRING>, $keep INTEGER, $chunks INTEGER
// mode: write
// returns: nothing
CREATE
  (:RegistryChange {tenant: $tenant, version: $version, entityIds: $entityIds})
WITH 1 AS done
MATCH (r:Registry {tenant: $tenant})
SET r.chunks = coalesce(r.chunks, 0) + $chunks
WITH r
MATCH (old:RegistryChange {tenant: $tenant, version: $version - $keep})
DELETE old