// Every API key, the newest first
// mode: read
// reader: operators because routes show keys and the audit log to administrators
// returns: id STRING, digest STRING, name STRING, tenants LIST<STRING>, scopes LIST<STRING>, groups LIST<STRING>, expiresAt INTEGER?, rate INTEGER?,
//   createdAt INTEGER, lastUsedAt INTEGER?, revokedAt INTEGER?
// allows: AnyTenant because a key says itself which tenants it opens
MATCH (k:ApiKey)
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
ORDER BY createdAt DESC, id