// Entities with the communities that they belong to
// params: $tenant STRING
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: id STRING, name STRING, communities LIST<{level INTEGER, id STRING}>
MATCH (e:Entity {tenant: $tenant})
RETURN
  e.id AS id,
  e.name AS name,
  COLLECT {
    MATCH (e)-[:IN_COMMUNITY]->(c:Community)
    RETURN {level: c.level, id: c.id}
  } AS communities
ORDER BY id