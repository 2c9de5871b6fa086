// Entities with the finest community that holds each
// params: $tenant STRING
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: id STRING, name STRING, community STRING?
MATCH (e:Entity {tenant: $tenant})
OPTIONAL MATCH (e)-[:IN_COMMUNITY]->(c:Community)
RETURN e.id AS id, e.name AS name, c.id AS community
ORDER BY id