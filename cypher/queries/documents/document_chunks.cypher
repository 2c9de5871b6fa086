// A page of a document's chunks in order
// params: $tenant STRING, $id STRING, $after INTEGER, $limit INTEGER
// mode: read
// returns: id STRING, position INTEGER, section STRING, sectionType STRING, text STRING, start INTEGER, end INTEGER, tokens INTEGER
MATCH (d:Document {id: $id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
MATCH (d)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE c.ordinal > $after
RETURN
  c.id AS id,
  c.ordinal AS position,
  s.path AS section,
  s.sectionType AS sectionType,
  c.text AS text,
  c.start AS start,
  c.end AS end,
  c.tokens AS tokens
ORDER BY position
LIMIT $limit