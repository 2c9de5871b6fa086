// Chunks that the linker tied to some entities
// params: $tenant STRING, $entities LIST<STRING>
// mode: read
// returns: id
UNWIND $entities AS id
MATCH (e:Entity {id: id})<-[m:MENTIONS {via: 'linker'}]-(c:Chunk)
WHERE e.tenant = $tenant
RETURN DISTINCT c.id AS id