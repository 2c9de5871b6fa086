// Which relations some chunks of each document assert, each once
// params: $tenant STRING, $rows LIST<MAP>
// mode: read
// reader: operators because only writers and workers run it
// returns: document STRING, relations LIST<{subject STRING, predicate STRING, object STRING}>
// rows: many
UNWIND $rows AS row
CALL (row) {
  UNWIND row.chunks AS id
  MATCH (c:Chunk {id: id})
  USING INDEX SEEK c:Chunk(id)
  WHERE c.tenant = $tenant
  MATCH (c)-[:ASSERTS]->(f:Fact)-[:SUBJECT]->(s:Entity)
  MATCH (f)-[:OBJECT]->(o:Entity)
  WITH DISTINCT s, f.predicate AS predicate, o
  RETURN
    collect({subject: s.id, predicate: predicate, object: o.id}) AS relations
}
RETURN row.document AS document, relations