// Number of documents, chunks, entities, facts and communities of one tenant
// params: $tenant STRING
// mode: read
// reader: operators because it counts documents of all groups
// returns: documents INTEGER, chunks INTEGER, entities INTEGER, facts INTEGER, communities INTEGER
// rows: one
// allows: CartesianProduct because each side is one row
CALL () {
  MATCH (d:Document {tenant: $tenant})
  RETURN count(d) AS documents
}
CALL () {
  MATCH (c:Chunk {tenant: $tenant})
  RETURN count(c) AS chunks
}
CALL () {
  MATCH (e:Entity {tenant: $tenant})
  RETURN count(e) AS entities
}
CALL () {
  MATCH (f:Fact {tenant: $tenant})
  RETURN count(f) AS facts
}
CALL () {
  MATCH (c:Community {tenant: $tenant})
  RETURN count(c) AS communities
}
RETURN documents, chunks, entities, facts, communities