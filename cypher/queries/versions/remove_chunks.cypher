// Remove chunks with their facts
// params: $tenant STRING, $chunks LIST<STRING>
// mode: write
// returns: nothing
UNWIND $chunks AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
OPTIONAL MATCH (c)-[:ASSERTS]->(f:Fact)
DETACH DELETE f
DETACH DELETE c