// The entities that most documents mention
// params: $tenant STRING
// mode: read
// returns: name, type, documents, chunks, mentions
// note: of the 500 entities with most mentions; counts are read from the mentions, for nodes keep none.
MATCH (e:Entity {tenant: $tenant})
WITH e
ORDER BY COUNT { (e)<-[:MENTIONS]-() } DESC, e.id
LIMIT 500
MATCH (e)<-[m:MENTIONS]-(c:Chunk)
RETURN
  e.name AS name,
  e.type AS type,
  count(DISTINCT c.documentId) AS documents,
  count(DISTINCT c) AS chunks,
  sum(m.count) AS mentions
ORDER BY documents DESC, mentions DESC, name
LIMIT 50