// An API key
// params: $id STRING
// mode: read
// reader: anyone because keys belong to the installation, and routes ask for the scope
// returns: id STRING, digest STRING, name STRING, tenants LIST<STRING>, scopes LIST<STRING>, groups LIST<STRING>, expiresAt INTEGER?, rate INTEGER?,
//   createdAt INTEGER, lastUsedAt INTEGER?, revokedAt INTEGER?
// rows: optional
// allows: AnyTenant because a key says itself which tenants it opens
MATCH (k:ApiKey {id: $id})
USING INDEX SEEK k:ApiKey(id)
RETURN
  k.id AS id,
  k.digest AS digest,
  k.name AS name,
  k.tenants AS tenants,
  k.scopes AS scopes,
  k.groups AS groups,
  k.expiresAt AS expiresAt,
  k.rate AS rate,
  k.createdAt AS createdAt,
  k.lastUsedAt AS lastUsedAt,
  k.revokedAt AS revokedAt