// Atoms that hold words, the best of each full-text search
// params: $tenant STRING, $searches LIST<STRING>, $limit INTEGER
// mode: read
// reader: filtered
// returns: search INTEGER, id STRING, name STRING, description STRING, tags STRING, content STRING
// note: One row a search and atom; ``search`` is its number, the fields hold stems.
// What is hidden must not take a place among the candidates; see documents/named_documents.
UNWIND range(0, size($searches) - 1) AS search
CALL (search) {
  CALL
    db.index.fulltext.queryNodes(
      'atom_fields',
      $searches[search],
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
  RETURN node
  ORDER BY score DESC, node.id
  LIMIT $limit
}
RETURN
  search,
  node.id AS id,
  node.atomName AS name,
  node.atomDescription AS description,
  node.atomTags AS tags,
  node.atomContent AS content