// First chunks of sections whose headings, with the document's title and path, hold words
// params: $tenant STRING, $search STRING, $candidates INTEGER, $allowed LIST<STRING>?
// mode: read
// returns: chunk STRING, score FLOAT, section STRING, title STRING, path STRING
// note: ``allowed`` holds documents or chunks; null lets all through.
CALL
  db.index.fulltext.queryNodes(
    'section_names',
    $search,
    {limit: $candidates}
  )
  YIELD node, score
  WHERE node.tenant = $tenant
MATCH (d:Document)-[:HAS_SECTION]->(node)
CALL (node, d) {
  MATCH (node)-[:HAS_CHUNK]->(c:Chunk)
  WHERE $allowed IS NULL OR d.id IN $allowed OR c.id IN $allowed
  RETURN c.id AS chunk
  ORDER BY c.ordinal
  LIMIT 1
}
RETURN chunk, score, node.path AS section, d.title AS title, d.path AS path
ORDER BY score DESC, chunk