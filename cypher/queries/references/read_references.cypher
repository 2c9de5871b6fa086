// Tags and references of some documents
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, tags LIST<STRING>, references LIST<STRING>
// rows: many
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
RETURN
  d.id AS id,
  COLLECT {
    MATCH (d)-[:TAGGED]->(t:Tag)
    RETURN t.name
  } AS tags,
  COLLECT {
    MATCH (d)-[:REFERS_TO|KNOWN_AS]->(r:Reference)
    RETURN DISTINCT r.key
  } AS references