// Chunks whose text holds some names, by full-text search
// params: $tenant STRING, $search STRING
// mode: read
// reader: operators because only writers and workers run it
// returns: document STRING, id STRING
// rows: many
CALL
  db.index.fulltext.queryNodes(
    'chunk_terms',
    $search
  )
  YIELD node
  WHERE node.tenant = $tenant
RETURN node.documentId AS document, node.id AS id