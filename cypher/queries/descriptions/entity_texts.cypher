// Names of some entities, and text that may describe each: how documents about it begin, and the sentences of facts whose subject it is
// params: $tenant STRING, $ids LIST<STRING>, $maxCharacters INTEGER, $limit INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?,
//   sentences LIST<{text STRING, opening BOOLEAN, confidence FLOAT, chunkId STRING}>
// note: A fact that was damaged and has no sentence describes nothing, and keeps no other entity from being embedded.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (d:Document)-[:ABOUT]->(e)
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
    collect({
      text: left(c.text, $maxCharacters),
      opening: true,
      confidence: 1.0,
      chunkId: c.id
    }) AS openings
}
CALL (e) {
  MATCH (e)<-[:SUBJECT]-(f:Fact)
  WHERE f.sentence IS NOT NULL
  WITH f
  ORDER BY f.confidence DESC, f.id
  LIMIT $limit
  MATCH (c:Chunk)-[:ASSERTS]->(f)
  RETURN
    collect({
      text: f.sentence,
      opening: false,
      confidence: f.confidence,
      chunkId: c.id
    }) AS stated
}
RETURN
  e.id AS id,
  e.name AS name,
  e.type AS type,
  e.aliases AS aliases,
  openings + stated AS sentences