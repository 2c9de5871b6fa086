// What people see of some chunks
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: id STRING, text STRING, context STRING?, start INTEGER, end INTEGER, position INTEGER, section STRING, sectionType STRING,
//   document MAP
// note: ``document`` holds all properties.
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
// From the chunk upwards: see chunks/chunk_payloads.
CALL (c) {
  MATCH (c)<-[:HAS_CHUNK]-(s:Section)<-[:HAS_SECTION]-(d:Document)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN
    s.path AS section,
    s.sectionType AS sectionType,
    properties(d) AS document
}
RETURN
  c.id AS id,
  c.text AS text,
  c.context AS context,
  c.start AS start,
  c.end AS end,
  c.ordinal AS position,
  section,
  sectionType,
  document