// Remove those of some chunks that no document has, with their facts
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE
  c.tenant = $tenant AND
  NOT EXISTS {
  (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(:Document)
  }
OPTIONAL MATCH (c)-[:ASSERTS]->(f:Fact)
DETACH DELETE f
DETACH DELETE c