// The first chunk of each of some documents that a filter lets through
// params: $tenant STRING, $ids LIST<STRING>, $allowed LIST<STRING>?
// mode: read
// returns: document STRING, chunk STRING
// note: ``allowed`` holds documents or chunks; null lets all through.
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
  WHERE $allowed IS NULL OR d.id IN $allowed OR c.id IN $allowed
  RETURN c.id AS chunk
  ORDER BY c.ordinal
  LIMIT 1
}
RETURN d.id AS document, chunk