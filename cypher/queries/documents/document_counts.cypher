// Number of documents, chunks, entities and facts of all tenants, from the counters of the store
// mode: read
// reader: operators because it counts documents of all groups
// returns: documents INTEGER, chunks INTEGER, entities INTEGER, facts INTEGER
// rows: one
// allows: CartesianProduct AnyTenant because each side is one row, and operators count the whole store
CALL () {
  MATCH (d:Document)
  RETURN count(d) AS documents
}
CALL () {
  MATCH (c:Chunk)
  RETURN count(c) AS chunks
}
CALL () {
  MATCH (e:Entity)
  RETURN count(e) AS entities
}
CALL () {
  MATCH (f:Fact)
  RETURN count(f) AS facts
}
RETURN documents, chunks, entities, facts