// Entities that relations tie to one entity, the strongest first
// params: $tenant STRING, $id STRING, $direction STRING, $limit INTEGER
// mode: read
// returns: id STRING, name STRING, type STRING, weight FLOAT,
//   relations LIST<{predicate STRING, direction STRING, weight FLOAT, documents INTEGER}>
MATCH (e:Entity {id: $id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
MATCH (e)-[r]-(o:Entity)
WHERE
  $direction = 'both' OR
  ($direction = 'out' AND startNode(r) = e) OR
  ($direction = 'in' AND endNode(r) = e)
WITH
  o,
  r,
  type(r) AS predicate,
  CASE startNode(r)
    WHEN e THEN 'out'
    ELSE 'in'
  END AS direction
ORDER BY r.weight DESC, predicate, direction
WITH
  o,
  sum(coalesce(r.weight, 1)) AS weight,
  collect({
    predicate: predicate,
    direction: direction,
    weight: coalesce(r.weight, 1),
    documents: coalesce(r.documents, 0)
  }) AS relations
RETURN o.id AS id, o.name AS name, o.type AS type, weight, relations
ORDER BY weight DESC, name, id
LIMIT $limit