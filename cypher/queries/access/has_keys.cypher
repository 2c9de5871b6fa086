// Any API key, revoked or not
// mode: read
// returns: id STRING
// rows: optional
// allows: AnyTenant because the question is about the whole installation
MATCH (k:ApiKey)
RETURN k.id AS id
LIMIT 1