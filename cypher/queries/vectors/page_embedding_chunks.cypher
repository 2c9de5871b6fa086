// A page of chunks by id: the text that models embed, and the properties that filters name
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, text STRING, context STRING, sectionType STRING, position INTEGER, document MAP
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
RETURN
  c.id AS id,
  c.text AS text,
  c.context AS context,
  sectionType,
  c.ordinal AS position,
  document
ORDER BY id