// Remove nodes of one label, with their relationships
// params: $tenant STRING, $label STRING, $keys LIST<STRING>
// mode: write
// returns: nothing
UNWIND $keys AS key
CALL (key) {
  WITH key
  WHERE $label = 'Document'
  MATCH (n:Document {id: key})
  USING INDEX SEEK n:Document(id)
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'Section'
  MATCH (n:Section {id: key})
  USING INDEX SEEK n:Section(id)
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'Chunk'
  MATCH (n:Chunk {id: key})
  USING INDEX SEEK n:Chunk(id)
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'Entity'
  MATCH (n:Entity {id: key})
  USING INDEX SEEK n:Entity(id)
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'Fact'
  MATCH (n:Fact {id: key})
  USING INDEX SEEK n:Fact(id)
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'Community'
  MATCH (n:Community {id: key})
  USING INDEX SEEK n:Community(id)
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'Job'
  MATCH (n:Job {id: key})
  USING INDEX SEEK n:Job(id)
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'IngestionRecord'
  MATCH (n:IngestionRecord {id: key})
  USING INDEX SEEK n:IngestionRecord(id)
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'Tag'
  MATCH (n:Tag {tenant: $tenant, name: key})
  WHERE n.tenant = $tenant
  DETACH DELETE n
}
CALL (key) {
  WITH key
  WHERE $label = 'Reference'
  MATCH (n:Reference {tenant: $tenant, key: key})
  WHERE n.tenant = $tenant
  DETACH DELETE n
}