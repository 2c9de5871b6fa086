// Names with the communities they are in
// params: $tenant STRING
// mode: read
// returns: id, name, communities (level, id)
MATCH (e:Entity {tenant: $tenant})
RETURN
  e.id AS id,
  e.name AS name,
  COLLECT {
    MATCH (e)-[:IN_COMMUNITY]->(c:Community)
    RETURN {level: c.level, id: c.id}
  } AS communities
ORDER BY id