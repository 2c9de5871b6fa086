// Documents whose title or path matches a Lucene query
// params: $tenant STRING, $search STRING, $limit INTEGER
// mode: read
// reader: operators because links are read whole
// returns: document STRING
CALL
  db.index.fulltext.queryNodes(
    'document_names',
    $search,
    {limit: $limit}
  )
  YIELD node
  WHERE node.tenant = $tenant
RETURN node.id AS document