// How much the whole graph holds, from the store's own counters
// mode: read
// returns: documents, chunks, entities, facts
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