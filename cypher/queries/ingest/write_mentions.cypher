// Write mentions
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk})
MATCH (e:Entity {id: row.entity})
CREATE (c)-[m:MENTIONS]->(e)
SET m = row.properties