// The first chunks of some atoms
// params: $tenant STRING, $ids LIST<STRING>, $each INTEGER
// mode: read
// reader: filtered
// returns: atom STRING, chunks LIST<STRING>
UNWIND $ids AS id
MATCH (a:Document:Atom {id: id})
USING INDEX SEEK a:Document(id)
WHERE
  a.tenant = $tenant AND
  ($groups IS NULL OR a.access IS NULL OR any(g IN a.access WHERE g IN $groups))
RETURN
  a.id AS atom,
  COLLECT {
    MATCH (a)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
    WITH c
    ORDER
    BY
    c.ordinal
    LIMIT
    $each
    RETURN c.id
  } AS chunks