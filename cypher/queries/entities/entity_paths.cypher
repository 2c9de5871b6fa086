// The shortest paths between two entities over the relations that facts state
// params: $tenant STRING, $id STRING, $other STRING, $limit INTEGER
// mode: read
// returns: ids LIST<STRING>, names LIST<STRING>, predicates LIST<STRING>
// note: ``predicates`` has one entry fewer than the other two; paths have at most four relations.
// allows: CartesianProduct because each side is one node
MATCH (a:Entity {id: $id})
USING INDEX SEEK a:Entity(id)
WHERE a.tenant = $tenant
MATCH (b:Entity {id: $other})
USING INDEX SEEK b:Entity(id)
WHERE b.tenant = $tenant AND b <> a
MATCH path = ALLSHORTESTPATHS ((a)-[*..4]-(b))
WHERE all(n IN nodes(path) WHERE n:Entity)
RETURN
  [n IN nodes(path) | n.id] AS ids,
  [n IN nodes(path) | n.name] AS names,
  [r IN relationships(path) | type(r)] AS predicates
LIMIT $limit