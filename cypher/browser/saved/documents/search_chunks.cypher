// Chunks that hold words, best first (:param words => 'orbit AND lens')
// params: $tenant STRING, $words STRING
// mode: read
// returns: document, section, chunk, score
WITH 'tenant:"' + $tenant + '" AND terms:(' + $words + ')' AS search
CALL
  db.index.fulltext.queryNodes(
    'chunk_terms',
    search
  )
  YIELD node AS c, score
  WHERE c.tenant = $tenant
WITH c, score
LIMIT 25
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c)
RETURN d.title AS document, s.path AS section, c.text AS chunk, score
ORDER BY score DESC