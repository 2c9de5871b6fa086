// Normalised forms of some entities
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, keys LIST<STRING>
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
RETURN e.id AS id, e.keys AS keys