// What decides how much of a token budget some chunks deserve
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: id STRING, context STRING, tokens INTEGER, sectionType STRING, category ANY?, epistemic ANY?
// note: ``tokens`` counts words and punctuation marks; category and epistemic status are the document's metadata.
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
    s.sectionType AS sectionType,
    d.`metadata.category` AS category,
    d.`metadata.epistemic` AS epistemic
}
RETURN
  c.id AS id,
  c.context AS context,
  c.tokens AS tokens,
  sectionType,
  category,
  epistemic