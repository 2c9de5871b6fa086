// A page of communities by key, with the entities in them or in a community beneath them
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because it reads a tenant whole
// returns: key STRING, level INTEGER, members LIST<STRING>
// note: Members are ids of entities, ascending.
MATCH (c:Community)
USING INDEX SEEK c:Community(id)
WHERE c.id > $after AND c.tenant = $tenant
WITH c
ORDER BY c.id
LIMIT $limit
RETURN
  c.id AS key,
  c.level AS level,
  COLLECT {
    MATCH (c)<-[:PARENT*0..10]-(:Community)<-[:IN_COMMUNITY]-(e:Entity)
    WITH DISTINCT e.id AS member
    RETURN member
    ORDER
    BY
    member
  } AS members
ORDER BY key