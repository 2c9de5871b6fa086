// Chunks and names of a hit, with the mentions between them
// params: $tenant STRING, $chunks LIST<STRING>, $entities LIST<STRING>
// mode: read
// returns: path
MATCH
  path =
    (d:Document)-[:HAS_SECTION]->
    (:Section)-[:HAS_CHUNK]->
    (c:Chunk)-[:MENTIONS]->
    (e:Entity)
WHERE c.id IN $chunks AND e.id IN $entities AND c.tenant = $tenant
RETURN path