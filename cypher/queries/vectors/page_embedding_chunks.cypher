// A page of chunks: what models read of them and what filters may know
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id, text, context, sectionType, document (all its properties); ordered by id
MATCH (c:Chunk)
USING INDEX SEEK c:Chunk(id)
WHERE c.id > $after AND c.tenant = $tenant
WITH c
ORDER BY c.id
LIMIT $limit
// From the chunk upwards: see chunks/chunk_payloads.
CALL (c) {
  MATCH (c)<-[:HAS_CHUNK]-(s:Section)<-[:HAS_SECTION]-(d:Document)
  RETURN s.sectionType AS sectionType, properties(d) AS document
}
RETURN c.id AS id, c.text AS text, c.context AS context, sectionType, document
ORDER BY id