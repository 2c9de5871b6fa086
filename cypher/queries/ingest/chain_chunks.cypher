// Tie each chunk to the one before it
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (before:Chunk {id: row.previous})
MATCH (c:Chunk {id: row.id})
CREATE (before)-[:NEXT]->(c)