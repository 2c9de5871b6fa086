// A page of the chunks of a document, in the order of its text
// params: $tenant STRING, $id STRING, $after INTEGER, $limit INTEGER
// mode: read
// reader: filtered
// returns: id STRING, documentId STRING, title STRING, sourceUri STRING, section STRING, text STRING, start INTEGER, end INTEGER,
//   position INTEGER, sectionType STRING
// note: ``after`` is the offset at which the last chunk of the page before begins; -1 for the first page.
MATCH (d:Document {id: $id})
USING INDEX SEEK d:Document(id)
WHERE
  d.tenant = $tenant AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
MATCH (d)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE c.start > $after
WITH d, s, c
ORDER BY c.start
LIMIT $limit
RETURN
  c.id AS id,
  d.id AS documentId,
  d.title AS title,
  d.sourceUri AS sourceUri,
  s.path AS section,
  c.text AS text,
  c.start AS start,
  c.end AS end,
  c.ordinal AS position,
  s.sectionType AS sectionType
ORDER BY start