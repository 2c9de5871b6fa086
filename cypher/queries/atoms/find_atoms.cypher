// Atoms that hold words, the best of each full-text search
// params: $tenant STRING, $searches LIST<STRING>, $limit INTEGER
// mode: read
// reader: operators because atoms are counted whole
// returns: search INTEGER, id STRING, name STRING, description STRING, tags STRING, content STRING
// note: One row a search and atom; ``search`` is its number, the fields hold stems.
UNWIND range(0, size($searches) - 1) AS search
CALL (search) {
  CALL
    db.index.fulltext.queryNodes(
      'atom_fields',
      $searches[search],
      {limit: $limit}
    )
    YIELD node, score
    WHERE node.tenant = $tenant
  RETURN node
  ORDER BY score DESC, node.id
}
RETURN
  search,
  node.id AS id,
  node.atomName AS name,
  node.atomDescription AS description,
  node.atomTags AS tags,
  node.atomContent AS content