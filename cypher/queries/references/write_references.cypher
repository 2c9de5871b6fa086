// Write what documents refer to and the keys by which they are known
// params: $tenant STRING, $refers LIST<MAP>, $known LIST<MAP>
// mode: write
// returns: nothing
CALL () {
  UNWIND $refers AS row
  MATCH (d:Document {id: row.document})
  USING INDEX SEEK d:Document(id)
  MERGE (r:Reference {tenant: $tenant, key: row.key})
  CREATE (d)-[:REFERS_TO {kind: row.kind, anchor: row.anchor}]->(r)
}
CALL () {
  UNWIND $known AS row
  MATCH (d:Document {id: row.document})
  USING INDEX SEEK d:Document(id)
  MERGE (r:Reference {tenant: $tenant, key: row.key})
  CREATE (d)-[:KNOWN_AS]->(r)
}