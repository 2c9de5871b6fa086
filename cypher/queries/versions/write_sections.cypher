// Write the sections of documents
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
USING INDEX SEEK d:Document(id)
CREATE (s:Section {id: row.id})
SET s += row.properties
CREATE (d)-[:HAS_SECTION]->(s)