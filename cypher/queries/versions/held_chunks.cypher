// Chunks that the graph holds of some documents
// params: $tenant STRING, $ids LIST<STRING>, $fingerprint STRING
// mode: read
// reader: operators because only writers and workers run it
// returns: document STRING, id STRING, links STRING, current BOOLEAN
// rows: many
// note: ``links`` are links and code as JSON; ``current`` whether this pipeline made the chunk, however it cuts atoms.
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