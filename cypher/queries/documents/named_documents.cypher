// Documents whose title or path holds words
// params: $tenant STRING, $search STRING, $candidates INTEGER, $documents LIST<STRING> (null for all)
// mode: read
// returns: document, score (Lucene's), title, path
CALL
  db.index.fulltext.queryNodes(
    'document_names',
    $search,
    {limit: $candidates}
  )
  YIELD node, score
  WHERE node.tenant = $tenant AND ($documents IS NULL OR node.id IN $documents)
RETURN node.id AS document, score, node.title AS title, node.path AS path
ORDER BY score DESC, document