// Hubs: the entities with most relations, and to how many entities
// params: $tenant STRING
// mode: read
// returns: name, type, relations, neighbours
MATCH (e:Entity {tenant: $tenant})
WITH
  e,
  COUNT {
  (e)-[:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]-()
  } AS relations
WHERE relations > 0
WITH e, relations
ORDER BY relations DESC, e.id
LIMIT 50
RETURN
  e.name AS name,
  e.type AS type,
  relations,
  COUNT {
    MATCH
      (e)-[:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]-(other:Entity)
    RETURN DISTINCT other
  } AS neighbours
ORDER BY relations DESC, name