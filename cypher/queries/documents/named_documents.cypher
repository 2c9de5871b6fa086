// Documents whose title or path holds words
// params: $tenant STRING, $search STRING, $candidates INTEGER, $documents LIST<STRING>?
// mode: read
// returns: document STRING, score FLOAT, title STRING, path STRING
// note: ``documents`` null lets all through; the score is Lucene's.
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