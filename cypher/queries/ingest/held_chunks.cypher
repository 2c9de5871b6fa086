// Chunks of some documents that the same pipeline made
// params: $tenant STRING, $ids LIST<STRING>, $fingerprint STRING
// mode: read
// returns: id, links (digest)
UNWIND $ids AS document
MATCH (d:Document {id: document})
WHERE d.tenant = $tenant AND d.fingerprint = $fingerprint
MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
RETURN c.id AS id, c.links AS links