// Write nodes of a backup; those of one key are written once
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
CALL (row) {
  WITH row
  WHERE row.label = 'Document'
  MERGE (n:Document {id: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'Section'
  MERGE (n:Section {id: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'Chunk'
  MERGE (n:Chunk {id: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'Entity'
  MERGE (n:Entity {id: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'Fact'
  MERGE (n:Fact {id: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'Community'
  MERGE (n:Community {id: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'Job'
  MERGE (n:Job {id: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'IngestionRecord'
  MERGE (n:IngestionRecord {id: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'Tag'
  MERGE (n:Tag {tenant: $tenant, name: row.key})
  SET n = row.properties, n: $ (row.labels)
}
CALL (row) {
  WITH row
  WHERE row.label = 'Reference'
  MERGE (n:Reference {tenant: $tenant, key: row.key})
  SET n = row.properties, n: $ (row.labels)
}