// Text that may describe one entity: how documents about it begin, and the sentences of facts whose subject it is
// params: $tenant STRING, $id STRING, $maxCharacters INTEGER, $limit INTEGER
// mode: read
// reader: filtered
// returns: text STRING, opening BOOLEAN, confidence FLOAT, chunkId STRING, documentId STRING, title STRING, sourceUri STRING
// note: An opening is the beginning of a document's first chunk, which may hold several sentences.
MATCH (e:Entity {id: $id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (d:Document)-[:ABOUT]->(e)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  WITH DISTINCT d
  ORDER BY d.sourceUri
  LIMIT $limit
  CALL (d) {
    MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
    RETURN c
    ORDER BY c.ordinal
    LIMIT 1
  }
  RETURN
    d,
    c,
    left(c.text, $maxCharacters) AS text,
    true AS opening,
    1.0 AS confidence
    UNION ALL
  MATCH (e)<-[:SUBJECT]-(f:Fact)
  WITH f
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
  MATCH (c:Chunk)-[:ASSERTS]->(f)
  MATCH (d:Document {id: c.documentId})
  USING INDEX SEEK d:Document(id)
  RETURN d, c, f.sentence AS text, false AS opening, f.confidence AS confidence
}
RETURN
  text,
  opening,
  confidence,
  c.id AS chunkId,
  d.id AS documentId,
  d.title AS title,
  d.sourceUri AS sourceUri
ORDER BY opening DESC, confidence DESC, chunkId, text