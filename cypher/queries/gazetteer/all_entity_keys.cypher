// Normalised forms of all entities
// params: $tenant STRING
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, keys LIST<STRING>
MATCH (e:Entity {tenant: $tenant})
RETURN e.id AS id, e.keys AS keys