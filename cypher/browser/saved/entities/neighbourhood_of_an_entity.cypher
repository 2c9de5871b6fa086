// What an entity is related to (:param name => 'Clara Hoffmann')
// params: $tenant STRING, $name STRING
// mode: read
// returns: paths from the entity to its neighbours, those with most facts first
MATCH (e:Entity {tenant: $tenant, key: toLower($name)})
MATCH path = (e)-[r]-(:Entity)
RETURN path
ORDER BY r.weight DESC
LIMIT 100