// Any API key, revoked or not
// mode: read
// reader: anyone because keys belong to the installation, and routes ask for the scope
// returns: id STRING
// rows: optional
// allows: AnyTenant because the question is about the whole installation
MATCH (k:ApiKey)
RETURN k.id AS id
LIMIT 1