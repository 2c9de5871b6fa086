// Documents and their chunks
// params: $tenant STRING
// mode: read
// returns: paths from a document over its sections to its chunks (twelve documents, the last indexed first)
MATCH (d:Document {tenant: $tenant})
WITH d
ORDER BY d.indexedAt DESC, d.id
LIMIT 12
MATCH path = (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(:Chunk)
RETURN path
LIMIT 200