// Normalised forms of all entities
// params: $tenant STRING
// mode: read
// returns: id STRING, keys LIST<STRING>
MATCH (e:Entity {tenant: $tenant})
RETURN e.id AS id, e.keys AS keys