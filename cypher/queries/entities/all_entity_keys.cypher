// Names of all entities
// params: $tenant STRING
// mode: read
// returns: id, keys
MATCH (e:Entity {tenant: $tenant})
RETURN e.id AS id, e.keys AS keys