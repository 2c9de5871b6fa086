// Connect each chunk with the one before it
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (before:Chunk {id: row.previous})
USING INDEX SEEK before:Chunk(id)
MATCH (c:Chunk {id: row.id})
USING INDEX SEEK c:Chunk(id)
CREATE (before)-[:NEXT]->(c)