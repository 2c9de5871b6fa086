// Revoke an API key; the time of the first revocation stays
// params: $id STRING
// mode: write
// returns: id STRING
// rows: optional
MATCH (k:ApiKey {id: $id})
USING INDEX SEEK k:ApiKey(id)
SET k.revokedAt = coalesce(k.revokedAt, timestamp())
RETURN k.id AS id