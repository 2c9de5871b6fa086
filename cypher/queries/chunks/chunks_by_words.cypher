// Chunks whose text holds words, with what their keyword weights are made of
// params: $tenant STRING, $search STRING, $limit INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: chunk STRING, context STRING, text STRING, language STRING
// rows: collected
// As in documents/named_documents: where something is left out, the limit of the search stands behind the condition.
CALL
  db.index.fulltext.queryNodes(
    'chunk_terms',
    $search,
    {
      limit:
        CASE
          WHEN $groups IS NULL AND $filter IS NULL THEN $limit
          ELSE 2147483647
        END
    }
  )
  YIELD node, score
  WHERE node.tenant = $tenant
// From the chunk upwards: see chunks/chunk_payloads.
CALL (node) {
  MATCH (node)<-[:HAS_CHUNK]-(s:Section)<-[:HAS_SECTION]-(d:Document)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups)) AND
    ($filter IS NULL OR [d, s, node] = $filter)
  RETURN coalesce(d.language, '') AS language
}
WITH node, score, language
ORDER BY score DESC, node.id
LIMIT $limit
RETURN node.id AS chunk, node.context AS context, node.text AS text, language