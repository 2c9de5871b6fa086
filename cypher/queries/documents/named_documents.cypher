// Documents whose title or path holds words
// params: $tenant STRING, $search STRING, $candidates INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: document STRING, score FLOAT, title STRING, path STRING
// rows: collected
// note: A filter on chunks lets all documents through; the score is Lucene's.
// What is hidden must not take a place among the candidates, so that the limit of a reader's search stands behind the condition.
CALL
  db.index.fulltext.queryNodes(
    'document_names',
    $search,
    {limit:
        CASE
          WHEN $groups IS NULL THEN $candidates
          ELSE 2147483647
        END}
  )
  YIELD node, score
  WHERE
    node.tenant = $tenant AND
    ($groups IS NULL OR
      node.access IS NULL OR
      any(g IN node.access WHERE g IN $groups)) AND
    ($filter IS NULL OR $filter.chunks OR [node, node, node] = $filter)
WITH node, score
ORDER BY score DESC, node.id
LIMIT $candidates
RETURN node.id AS document, score, node.title AS title, node.path AS path
ORDER BY score DESC, document