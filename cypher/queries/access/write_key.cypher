// Store a new API key; one that is there stays as it is
// params: $id STRING, $digest STRING, $name STRING, $tenants LIST<STRING>, $scopes LIST<STRING>, $groups LIST<STRING>, $expiresAt INTEGER?,
//   $rate INTEGER?
// mode: write
// returns: nothing
// note: ``expiresAt`` is in milliseconds since 1970, ``rate`` in requests a minute.
MERGE (k:ApiKey {id: $id})
  ON CREATE SET
    k.digest = $digest,
    k.name = $name,
    k.tenants = $tenants,
    k.scopes = $scopes,
    k.groups = $groups,
    k.expiresAt = $expiresAt,
    k.rate = $rate,
    k.createdAt = timestamp()