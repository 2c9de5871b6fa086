// A page of communities with their members and parents, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id, labels, properties, members (sorted ids of entities in it or in a community beneath it), parents (ids); ordered by id
MATCH (c:Community)
USING INDEX SEEK c:Community(id)
WHERE c.id > $after AND c.tenant = $tenant
WITH c
ORDER BY c.id
LIMIT $limit
RETURN
  c.id AS id,
  labels(c) AS labels,
  properties(c) AS properties,
  COLLECT {
    MATCH (c)<-[:PARENT*0..10]-(:Community)<-[:IN_COMMUNITY]-(e:Entity)
    WITH DISTINCT e.id AS member
    RETURN member
    ORDER
    BY
    member
  } AS members,
  COLLECT {
    MATCH (c)-[:PARENT]->(p:Community)
    RETURN p.id
  } AS parents
ORDER BY id