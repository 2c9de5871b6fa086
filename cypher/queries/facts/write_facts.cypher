// Write facts under the chunks that assert them
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk})
USING INDEX SEEK c:Chunk(id)
MATCH (s:Entity {id: row.subject})
USING INDEX SEEK s:Entity(id)
CREATE (f:Fact {id: row.id})
SET f += row.properties
CREATE (c)-[:ASSERTS]->(f)
CREATE (f)-[r:SUBJECT]->(s)
SET r.origin = row.subjectOrigin
WITH f, row
WHERE row.object IS NOT NULL
MATCH (o:Entity {id: row.object})
USING INDEX SEEK o:Entity(id)
CREATE (f)-[r:OBJECT]->(o)
SET r.origin = row.objectOrigin