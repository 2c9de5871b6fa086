// A page of entities by id, with their names
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?, keys LIST<STRING>, mentions INTEGER
MATCH (e:Entity)
USING INDEX SEEK e:Entity(id)
WHERE e.id > $after AND e.tenant = $tenant
RETURN
  e.id AS id,
  e.name AS name,
  e.type AS type,
  e.aliases AS aliases,
  e.keys AS keys,
  COUNT { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY id
LIMIT $limit