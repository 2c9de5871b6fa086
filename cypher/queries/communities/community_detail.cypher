// One community with its most central members, its parents and its children
// params: $tenant STRING, $id STRING, $members INTEGER
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: id STRING, level INTEGER, title STRING?, summary STRING?, size INTEGER, rating FLOAT?, members LIST<{id STRING, name STRING, type STRING, mentions INTEGER}>, parents LIST<{id STRING, level INTEGER, title STRING?, size INTEGER}>, children LIST<{id STRING, level INTEGER, title STRING?, size INTEGER}>
// rows: optional
MATCH (c:Community {id: $id})
USING INDEX SEEK c:Community(id)
WHERE c.tenant = $tenant
RETURN
  c.id AS id,
  c.level AS level,
  c.title AS title,
  c.summary AS summary,
  c.size AS size,
  c.rating AS rating,
  COLLECT {
    MATCH (c)<-[:PARENT*0..10]-(:Community)<-[m:IN_COMMUNITY]-(e:Entity)
    WITH e, m.rank AS rank
    ORDER
    BY
    rank,
    e.id
    LIMIT
    $members
    RETURN {
      id: e.id,
      name: e.name,
      type: e.type,
      mentions: COUNT { (e)<-[:MENTIONS]-() }
    }
  } AS members,
  COLLECT {
    MATCH (c)-[:PARENT]->(p:Community)
    RETURN {id: p.id, level: p.level, title: p.title, size: p.size}
  } AS parents,
  COLLECT {
    MATCH (c)<-[:PARENT]-(k:Community)
    WITH k
    ORDER
    BY
    k.size
    DESC,
    k.id
    LIMIT
    100
    RETURN {id: k.id, level: k.level, title: k.title, size: k.size}
  } AS children