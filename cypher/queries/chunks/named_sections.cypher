// First chunks of sections whose headings, with the document's title and path, hold words
// params: $tenant STRING, $search STRING, $candidates INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: chunk STRING, score FLOAT, section STRING, title STRING, path STRING
// As in documents/named_documents: the limit of a reader's search stands behind the condition on groups.
CALL
  db.index.fulltext.queryNodes(
    'section_names',
    $search,
    {limit:
        CASE
          WHEN $groups IS NULL THEN $candidates
          ELSE 2147483647
        END}
  )
  YIELD node, score
  WHERE node.tenant = $tenant
MATCH (d:Document)-[:HAS_SECTION]->(node)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
WITH node, score, d
ORDER BY score DESC, node.id
LIMIT $candidates
CALL (node, d) {
  MATCH (node)-[:HAS_CHUNK]->(c:Chunk)
  WHERE $filter IS NULL OR [d, node, c] = $filter
  RETURN c.id AS chunk
  ORDER BY c.ordinal
  LIMIT 1
}
RETURN chunk, score, node.path AS section, d.title AS title, d.path AS path
ORDER BY score DESC, chunk