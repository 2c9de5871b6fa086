// What people see of some passages
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, text, context, start, end, section, document (properties)
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
WHERE c.tenant = $tenant
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c)
RETURN
  c.id AS id,
  c.text AS text,
  c.context AS context,
  c.start AS start,
  c.end AS end,
  s.path AS section,
  s.sectionType AS sectionType,
  properties(d) AS document