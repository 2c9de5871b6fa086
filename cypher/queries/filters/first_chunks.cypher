// The first chunk of each of some documents that a filter lets through
// params: $tenant STRING, $ids LIST<STRING>, $filter MAP?
// mode: read
// reader: filtered
// returns: document STRING, chunk STRING
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE
  d.tenant = $tenant AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(section:Section)-[:HAS_CHUNK]->(c:Chunk)
  WHERE $filter IS NULL OR [d, section, c] = $filter
  RETURN c.id AS chunk
  ORDER BY c.ordinal
  LIMIT 1
}
RETURN d.id AS document, chunk