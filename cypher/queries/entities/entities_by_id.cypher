// Some entities by their ids
// params: $tenant STRING, $ids LIST<STRING>, $types LIST<STRING>
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?, keys LIST<STRING>?, confidence FLOAT, mentions INTEGER
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant AND (size($types) = 0 OR e.type IN $types)
RETURN
  e.id AS id,
  e.name AS name,
  e.type AS type,
  e.aliases AS aliases,
  e.keys AS keys,
  e.confidence AS confidence,
  COUNT { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY id