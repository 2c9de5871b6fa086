// First passages of documents whose title or path matches words
// params: $tenant STRING, $search STRING, $limit INTEGER, $allowed LIST<STRING>
// mode: read
// returns: chunk, score, title, path
CALL
  db.index.fulltext.queryNodes(
    'document_names',
    $search,
    {limit: $limit}
  )
  YIELD node, score
  WHERE node.tenant = $tenant AND ($allowed IS NULL OR node.id IN $allowed)
MATCH (node)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk {ordinal: 0})
RETURN c.id AS chunk, score, node.title AS title, node.path AS path
ORDER BY score DESC, chunk