// A page of ids of chunks
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: id STRING
MATCH (c:Chunk)
USING INDEX SEEK c:Chunk(id)
WHERE c.id > $after AND c.tenant = $tenant
RETURN c.id AS id
ORDER BY id
LIMIT $limit