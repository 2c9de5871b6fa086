// What decides how much of a token budget some passages deserve
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, context, tokens (words and punctuation marks), sectionType, category, epistemic (of the document's metadata)
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
WHERE c.tenant = $tenant
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c)
RETURN
  c.id AS id,
  c.context AS context,
  c.tokens AS tokens,
  s.sectionType AS sectionType,
  d.`metadata.category` AS category,
  d.`metadata.epistemic` AS epistemic