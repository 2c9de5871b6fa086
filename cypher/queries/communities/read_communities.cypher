// Communities as they were written
// params: $tenant STRING
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: id STRING, level INTEGER, size INTEGER, title STRING, summary STRING, rating FLOAT, memberHash STRING, factHash STRING, citations INTEGER, cited LIST<STRING>, parent STRING?, chunks LIST<STRING>
// note: ``cited`` are the facts and chunks that are still there, ``citations`` is how many there were; ``chunks`` are those that hold them.
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
  } AS cited,
  head(
    COLLECT {
      MATCH (c)-[:PARENT]->(p:Community)
      RETURN p.id
    }) AS parent,
  COLLECT {
    MATCH (c)-[:CITES]->(source)
    OPTIONAL MATCH (source)<-[:ASSERTS]-(k:Chunk)
    WITH DISTINCT coalesce(k.id, source.id) AS chunk
    RETURN chunk
    ORDER
    BY
    chunk
  } AS chunks
ORDER BY id