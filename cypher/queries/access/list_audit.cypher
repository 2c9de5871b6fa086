// The newest entries of the audit log
// params: $tenants LIST<STRING>?, $limit INTEGER
// mode: read
// reader: operators because routes show keys and the audit log to administrators
// returns: id STRING, at INTEGER, event STRING, key STRING, tenants LIST<STRING>, detail STRING, method STRING, path STRING, calls INTEGER
// allows: AnyTenant because an entry is about a key, which may open several; ``tenants`` narrows it to keys that open no others
MATCH (a:AuditEntry)
USING INDEX a:AuditEntry(at)
WHERE
  a.at > 0 AND
  ($tenants IS NULL OR
    (size(a.tenants) > 0 AND all(tenant IN a.tenants WHERE tenant IN $tenants)))
RETURN
  a.id AS id,
  a.at AS at,
  a.event AS event,
  a.key AS key,
  a.tenants AS tenants,
  a.detail AS detail,
  a.method AS method,
  a.path AS path,
  a.count AS calls
ORDER BY at DESC
LIMIT $limit