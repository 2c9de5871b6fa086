// The largest communities that have a summary, and the chunks that it quotes
// params: $tenant STRING, $limit INTEGER
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: id STRING, name STRING, chunks LIST<STRING>
MATCH (c:Community {tenant: $tenant})
WHERE c.summary <> ''
WITH c
ORDER BY c.size DESC, c.id
LIMIT $limit
RETURN
  c.id AS id,
  c.title AS name,
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