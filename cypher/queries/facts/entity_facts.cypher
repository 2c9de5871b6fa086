// Facts that name one entity, the surest first, with the sentences that state them
// params: $tenant STRING, $id STRING, $confidence FLOAT?, $after STRING?, $limit INTEGER
// mode: read
// reader: filtered
// returns: id STRING, predicate STRING, subjectId STRING, subject STRING, objectId STRING?, object STRING?, sentence STRING, start INTEGER,
//   end INTEGER, confidence FLOAT, extractor STRING, chunkId STRING, documentId STRING, title STRING, sourceUri STRING
MATCH (e:Entity {id: $id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
WHERE
  ($after IS NULL OR
    f.confidence < $confidence OR
    (f.confidence = $confidence AND f.id > $after))
WITH DISTINCT f
// Sorted before a look at documents, which ends as soon as there are enough.
ORDER BY f.confidence DESC, f.id
WHERE
  $groups IS NULL OR
  EXISTS {
    MATCH (f)<-[:ASSERTS]-(c:Chunk)
    MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
    WHERE
      ($groups IS NULL OR
        d.access IS NULL OR
        any(g IN d.access WHERE g IN $groups))
  }
WITH f
ORDER BY f.confidence DESC, f.id
LIMIT $limit
MATCH (f)-[:SUBJECT]->(s:Entity)
MATCH (c:Chunk)-[:ASSERTS]->(f)
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
OPTIONAL MATCH (f)-[:OBJECT]->(o:Entity)
RETURN
  f.id AS id,
  f.predicate AS predicate,
  s.id AS subjectId,
  coalesce(f.subjectText,
    CASE
      WHEN $groups IS NULL THEN s.name
      ELSE ''
    END) AS subject,
  o.id AS objectId,
  coalesce(f.objectText,
    CASE
      WHEN $groups IS NULL THEN o.name
    END) AS object,
  f.sentence AS sentence,
  f.start AS start,
  f.end AS end,
  f.confidence AS confidence,
  f.extractor AS extractor,
  c.id AS chunkId,
  d.id AS documentId,
  d.title AS title,
  d.sourceUri AS sourceUri
ORDER BY confidence DESC, id