// A page of ids of chunks
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id STRING
MATCH (c:Chunk)
USING INDEX SEEK c:Chunk(id)
WHERE c.id > $after AND c.tenant = $tenant
RETURN c.id AS id
ORDER BY id
LIMIT $limit