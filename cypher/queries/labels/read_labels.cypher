// Properties and chunks of documents that will be labelled otherwise
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, properties MAP, chunks LIST<STRING>
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
RETURN
  d.id AS id,
  properties(d) AS properties,
  COLLECT {
    MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
    RETURN c.id
  } AS chunks