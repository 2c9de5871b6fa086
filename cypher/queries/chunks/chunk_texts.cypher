// What models read of some chunks
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, context, text
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
RETURN c.id AS id, c.context AS context, c.text AS text