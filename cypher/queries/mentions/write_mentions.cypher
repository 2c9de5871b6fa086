// Write mentions
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk})
USING INDEX SEEK c:Chunk(id)
MATCH (e:Entity {id: row.entity})
USING INDEX SEEK e:Entity(id)
CREATE (c)-[m:MENTIONS]->(e)
SET m = row.properties