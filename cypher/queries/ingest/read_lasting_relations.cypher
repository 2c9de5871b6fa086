// Which relations some chunks of each document assert, each once
// params: $tenant STRING, $rows LIST<MAP>
// mode: read
// returns: document, relations (subject, predicate, object)
UNWIND $rows AS row
RETURN
  row.document AS document,
  COLLECT {
    UNWIND row.chunks AS id
    MATCH (c:Chunk {id: id})
    WHERE c.tenant = $tenant
    MATCH (c)-[:ASSERTS]->(f:Fact)-[:SUBJECT]->(s:Entity)
    MATCH (f)-[:OBJECT]->(o:Entity)
    WITH DISTINCT s, f.predicate AS predicate, o
    RETURN {subject: s.id, predicate: predicate, object: o.id}
  } AS relations