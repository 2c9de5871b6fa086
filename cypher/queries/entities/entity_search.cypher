// Entities by the words of their names and aliases, best first
// params: $tenant STRING, $search STRING, $types LIST<STRING>, $limit INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?, keys LIST<STRING>?, confidence FLOAT, mentions INTEGER
CALL
  db.index.fulltext.queryNodes(
    'entity_names',
    $search
  )
  YIELD node AS e, score
  WHERE e.tenant = $tenant AND (size($types) = 0 OR e.type IN $types)
WITH e, score
LIMIT $limit
RETURN
  e.id AS id,
  e.name AS name,
  e.type AS type,
  e.aliases AS aliases,
  e.keys AS keys,
  e.confidence AS confidence,
  COUNT { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY score DESC, id