// Entities without a relation, those with most mentions first
// params: $tenant STRING
// mode: read
// returns: name, type, chunks
MATCH (e:Entity {tenant: $tenant})
WHERE
  NOT EXISTS {
  (e)-[:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]-(:Entity)
  }
RETURN e.name AS name, e.type AS type, COUNT { (e)<-[:MENTIONS]-() } AS chunks
ORDER BY chunks DESC, name
LIMIT 50