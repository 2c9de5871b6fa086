// Give an API key another secret
// params: $id STRING, $digest STRING
// mode: write
// returns: id STRING
// rows: optional
// note: No row for a key that is revoked or expired.
MATCH (k:ApiKey {id: $id})
USING INDEX SEEK k:ApiKey(id)
WHERE k.revokedAt IS NULL AND coalesce(k.expiresAt > timestamp(), true)
SET k.digest = $digest
RETURN k.id AS id