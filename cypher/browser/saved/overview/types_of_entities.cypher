// The types of entities, and some of each
// params: $tenant STRING
// mode: read
// returns: type, entities, examples
MATCH (e:Entity {tenant: $tenant})
WITH e, COUNT { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY mentions DESC, e.id
RETURN e.type AS type, count(e) AS entities, collect(e.name)[..5] AS examples
ORDER BY entities DESC, type