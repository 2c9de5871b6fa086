// Chunks that the graph holds of some documents
// params: $tenant STRING, $ids LIST<STRING>, $fingerprint STRING
// mode: read
// returns: document, id, links (digest), current (made by this pipeline, however it cuts atoms)
UNWIND $ids AS document
MATCH (d:Document {id: document})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
RETURN
  d.id AS document,
  c.id AS id,
  c.links AS links,
  split(d.fingerprint, ' atlas:')[0] = $fingerprint AS current