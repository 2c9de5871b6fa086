// What people see of some atoms, with their sections
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: id STRING, document MAP, sections LIST<{heading STRING, type STRING}>
UNWIND $ids AS id
MATCH (a:Document:Atom {id: id})
USING INDEX SEEK a:Document(id)
WHERE
  a.tenant = $tenant AND
  ($groups IS NULL OR a.access IS NULL OR any(g IN a.access WHERE g IN $groups))
RETURN
  a.id AS id,
  properties(a) AS document,
  COLLECT {
    MATCH (a)-[:HAS_SECTION]->(s:Section)
    WITH s
    ORDER
    BY
    s.ordinal
    LIMIT
    100
    RETURN {heading: s.path, type: s.sectionType}
  } AS sections