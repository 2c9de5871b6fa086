// The chunks that satisfy a filter, by source and place, or by the date of their documents
// params: $tenant STRING, $allowed LIST<STRING>, $sort STRING, $limit INTEGER
// mode: read
// returns: chunk STRING
// note: ``allowed`` holds documents or chunks.
CALL () {
  UNWIND $allowed AS id
  MATCH (d:Document {id: id})
  USING INDEX SEEK d:Document(id)
  WHERE d.tenant = $tenant
  MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
  RETURN d, c
    UNION
  UNWIND $allowed AS id
  MATCH (c:Chunk {id: id})
  USING INDEX SEEK c:Chunk(id)
  WHERE c.tenant = $tenant
  MATCH (d:Document {id: c.documentId})
  USING INDEX SEEK d:Document(id)
  RETURN d, c
}
WITH
  c,
  d.sourceUri AS source,
  coalesce(d.modifiedAt, d.createdAt, d.indexedAt) AS date
RETURN c.id AS chunk
ORDER BY
CASE $sort
  WHEN 'newest' THEN date
END DESC,
CASE $sort
  WHEN 'oldest' THEN date
END, source, c.ordinal
LIMIT $limit