// Documents whose title or path matches a Lucene query
// params: $tenant STRING, $search STRING, $limit INTEGER
// mode: read
// reader: filtered
// returns: document STRING
// What is hidden must not take a place among the candidates; see documents/named_documents.
CALL
  db.index.fulltext.queryNodes(
    'document_names',
    $search,
    {limit:
        CASE
          WHEN $groups IS NULL THEN $limit
          ELSE 2147483647
        END}
  )
  YIELD node, score
  WHERE
    node.tenant = $tenant AND
    ($groups IS NULL OR
      node.access IS NULL OR
      any(g IN node.access WHERE g IN $groups))
WITH node, score
ORDER BY score DESC, node.id
LIMIT $limit
RETURN node.id AS document