// Write chunks under their sections
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
MERGE (c:Chunk {id: row.id})
SET c = row.properties, c.id = row.id
CREATE (s)-[:HAS_CHUNK]->(c)