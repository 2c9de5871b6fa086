// The properties of some chunks that filters name
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, sectionType STRING, position INTEGER, document MAP
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
// A subquery, so that the way starts from the chunk: from the document it would pass all its chunks for each of them.
CALL (c) {
  MATCH (c)<-[:HAS_CHUNK]-(s:Section)<-[:HAS_SECTION]-(d:Document)
  RETURN s.sectionType AS sectionType, properties(d) AS document
}
RETURN c.id AS id, sectionType, c.ordinal AS position, document