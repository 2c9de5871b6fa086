// What filters may know of some chunks
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, sectionType, document (all its properties)
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
WHERE c.tenant = $tenant
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c)
RETURN c.id AS id, s.sectionType AS sectionType, properties(d) AS document