// Note which entities' names this version of the registry changed, and forget the oldest notes
// params: $tenant STRING, $version INTEGER, $entityIds LIST<STRING>, $keep INTEGER
// mode: write
// returns: nothing
CREATE (:RegistryChange {tenant: $tenant, version: $version, entityIds: $entityIds})
WITH 1 AS done
MATCH (old:RegistryChange {tenant: $tenant, version: $version - $keep})
DELETE old
