// Put chunks that a new version keeps under its sections, in their new places
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
// note: properties whose value is null go.
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
USING INDEX SEEK s:Section(id)
MATCH (c:Chunk {id: row.id})
USING INDEX SEEK c:Chunk(id)
SET c += row.properties
CREATE (s)-[:HAS_CHUNK]->(c)