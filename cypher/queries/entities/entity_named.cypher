// Entities the first of whose normalised forms, in alphabetical order, is this one
// params: $tenant STRING, $key STRING, $types LIST<STRING>, $limit INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?, keys LIST<STRING>?, confidence FLOAT, mentions INTEGER
MATCH (e:Entity {tenant: $tenant, key: $key})
USING INDEX SEEK e:Entity(tenant, key)
WHERE size($types) = 0 OR e.type IN $types
RETURN
  e.id AS id,
  e.name AS name,
  e.type AS type,
  e.aliases AS aliases,
  e.keys AS keys,
  e.confidence AS confidence,
  COUNT { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY mentions DESC, id
LIMIT $limit