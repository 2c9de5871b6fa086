// Chunks and names of a hit, with the mentions between them
// params: $tenant STRING, $chunks LIST<STRING>, $entities LIST<STRING>
// mode: read
// returns: path
// untyped: because answers carry its text for people to run in Neo4j Browser; the platform never runs it
MATCH
  path =
    (d:Document)-[:HAS_SECTION]->
    (:Section)-[:HAS_CHUNK]->
    (c:Chunk)-[:MENTIONS]->
    (e:Entity)
WHERE c.id IN $chunks AND e.id IN $entities AND c.tenant = $tenant
RETURN path