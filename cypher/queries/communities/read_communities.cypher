// Communities as they are written
// params: $tenant STRING
// mode: read
// returns: id, level, size, title, summary, rating, memberHash, factHash, citations, cited (ids of facts and chunks still there)
MATCH (c:Community {tenant: $tenant})
RETURN
  c.id AS id,
  c.level AS level,
  c.size AS size,
  c.title AS title,
  c.summary AS summary,
  c.rating AS rating,
  c.memberHash AS memberHash,
  c.factHash AS factHash,
  c.citations AS citations,
  COLLECT {
    MATCH (c)-[x:CITES]->(source)
    RETURN source.id
    ORDER
    BY
    x.ordinal
  } AS cited
ORDER BY id