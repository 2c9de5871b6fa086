// Write chunks under their sections
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
USING INDEX SEEK s:Section(id)
MERGE (c:Chunk {id: row.id})
WITH s, c, row.id AS id, row.properties AS properties
SET c = properties {.*, id: id}
CREATE (s)-[:HAS_CHUNK]->(c)