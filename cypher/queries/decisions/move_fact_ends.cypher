// Give facts another subject or object
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
// note: ``end`` of a row is SUBJECT or OBJECT.
UNWIND $rows AS row
MATCH (f:Fact {id: row.fact})
USING INDEX SEEK f:Fact(id)
MATCH (t:Entity {id: row.target})
USING INDEX SEEK t:Entity(id)
CALL (f, t, row) {
  MATCH (f)-[r:SUBJECT|OBJECT]->(:Entity)
  WHERE type(r) = row.end
  CREATE (f)-[n:$(row.end)]->(t)
  SET n = properties(r), n.origin = row.keep
  DELETE r
}