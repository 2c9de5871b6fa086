// Write documents
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
SET d = row.properties, d.id = row.id