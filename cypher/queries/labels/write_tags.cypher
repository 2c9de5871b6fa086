// Tag documents
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
USING INDEX SEEK d:Document(id)
MERGE (t:Tag {tenant: $tenant, name: row.name})
CREATE (d)-[:TAGGED]->(t)