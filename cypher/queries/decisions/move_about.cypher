// Take what documents are about from one entity to another
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
USING INDEX SEEK d:Document(id)
MATCH (t:Entity {id: row.target})
USING INDEX SEEK t:Entity(id)
CALL (d, t, row) {
  MATCH (d)-[a:ABOUT]->(e:Entity)
  WHERE e.id = row.source AND coalesce(a.origin, e.id) = row.origin
  CREATE (d)-[n:ABOUT]->(t)
  SET n = properties(a), n.origin = row.keep
  DELETE a
}