// A page of communities, the largest first
// params: $tenant STRING, $level INTEGER?, $size INTEGER?, $after STRING?, $limit INTEGER
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: id STRING, level INTEGER, title STRING?, summary STRING?, size INTEGER, rating FLOAT?, parents LIST<STRING>
// note: ``size`` and ``after`` are those of the last community of the page before.
MATCH (c:Community {tenant: $tenant})
WHERE
  ($level IS NULL OR c.level = $level) AND
  ($after IS NULL OR c.size < $size OR (c.size = $size AND c.id > $after))
WITH c
ORDER BY c.size DESC, c.id
LIMIT $limit
RETURN
  c.id AS id,
  c.level AS level,
  c.title AS title,
  c.summary AS summary,
  c.size AS size,
  c.rating AS rating,
  COLLECT {
    MATCH (c)-[:PARENT]->(p:Community)
    RETURN p.id
  } AS parents
ORDER BY size DESC, id