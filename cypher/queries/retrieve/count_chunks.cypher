// How many passages a tenant has
// params: $tenant STRING
// mode: read
// returns: chunks
MATCH (c:Chunk {tenant: $tenant})
RETURN count(c) AS chunks
