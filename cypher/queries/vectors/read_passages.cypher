// A page of passages: what models read of them and what filters may know
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id, text, context, sectionType, document (all its properties); ordered by id
MATCH (c:Chunk)
USING INDEX c:Chunk(id)
WHERE c.id > $after AND c.tenant = $tenant
WITH c
ORDER BY c.id
LIMIT $limit
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c)
RETURN
  c.id AS id,
  c.text AS text,
  c.context AS context,
  s.sectionType AS sectionType,
  properties(d) AS document
ORDER BY id