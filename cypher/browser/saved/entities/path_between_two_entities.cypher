// How two entities are connected (:params {name: 'Clara Hoffmann', other: 'Plover'})
// params: $tenant STRING, $name STRING, $other STRING
// mode: read
// returns: the shortest paths of at most four steps
// allows: CartesianProduct because few entities share a name
MATCH (a:Entity {tenant: $tenant, key: toLower($name)})
MATCH (b:Entity {tenant: $tenant, key: toLower($other)})
WHERE a <> b
MATCH path = ALLSHORTESTPATHS ((a)-[*..4]-(b))
WHERE all(n IN nodes(path) WHERE n:Entity)
RETURN path
LIMIT 20