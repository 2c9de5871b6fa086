// Documents whose title or path holds words
// params: $tenant STRING, $search STRING, $limit INTEGER
// mode: read
// returns: document
CALL
  db.index.fulltext.queryNodes(
    'document_names',
    $search,
    {limit: $limit}
  )
  YIELD node
  WHERE node.tenant = $tenant
RETURN node.id AS document