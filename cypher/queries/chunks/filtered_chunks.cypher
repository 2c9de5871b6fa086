// What satisfies a filter, by source: first chunks of documents, or chunks themselves
// params: $tenant STRING, $allowed LIST<STRING>, $limit INTEGER
// mode: read
// returns: chunk STRING
// note: ``allowed`` holds documents or chunks.
CALL () {
  UNWIND $allowed AS id
  MATCH (d:Document {id: id})
  USING INDEX SEEK d:Document(id)
  WHERE d.tenant = $tenant
  MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk {ordinal: 0})
  RETURN d.sourceUri AS source, c
    UNION
  UNWIND $allowed AS id
  MATCH (c:Chunk {id: id})
  USING INDEX SEEK c:Chunk(id)
  WHERE c.tenant = $tenant
  MATCH (d:Document {id: c.documentId})
  USING INDEX SEEK d:Document(id)
  RETURN d.sourceUri AS source, c
}
RETURN c.id AS chunk
ORDER BY source, c.ordinal
LIMIT $limit