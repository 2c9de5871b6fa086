// A page of memberships, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id of an entity, relationships to its communities as maps of type, end and properties; ordered by id
MATCH (e:Entity)
USING INDEX SEEK e:Entity(id)
WHERE e.id > $after AND e.tenant = $tenant
WITH e
ORDER BY e.id
LIMIT $limit
RETURN
  e.id AS id,
  COLLECT {
    MATCH (e)-[r:IN_COMMUNITY]->(c:Community)
    RETURN {type: type(r), end: c.id, properties: properties(r)}
  } AS relationships
ORDER BY id