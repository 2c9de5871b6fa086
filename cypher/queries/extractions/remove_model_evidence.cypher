// Remove what a language model gave for some chunks
// params: $tenant STRING, $chunks LIST<STRING>
// mode: write
// returns: nothing
UNWIND $chunks AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
CALL (c) {
  MATCH (c)-[m:MENTIONS {via: 'llm'}]->(:Entity)
  DELETE m
}
CALL (c) {
  MATCH (c)-[:ASSERTS]->(f:Fact)
  WHERE f.extractor STARTS WITH 'llm:'
  DETACH DELETE f
}
CALL (c) {
  MATCH (c)-[:ASSERTS]->(f:Fact)
  WHERE f.ownConfidence IS NOT NULL
  SET
    f.confidence = f.ownConfidence,
    f.ownConfidence = null,
    f.confirmedBy = null
}
CALL (c) {
  MATCH (c)-[r:EXTRACTED_AS]->(:ExtractionRecord)
  DELETE r
}