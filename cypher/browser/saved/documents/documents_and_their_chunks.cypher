// Documents and their chunks
// params: $tenant STRING
// mode: read
// returns: paths from a document over its sections to its chunks (six documents, the last indexed first, and six chunks of each)
MATCH (d:Document {tenant: $tenant})
WITH d
ORDER BY d.indexedAt DESC, d.id
LIMIT 6
CALL (d) {
  MATCH path = (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
  RETURN path
  ORDER BY c.ordinal
  LIMIT 6
}
RETURN path