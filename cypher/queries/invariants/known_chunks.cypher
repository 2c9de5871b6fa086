// The chunks among some that the graph has
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: id STRING, document STRING?
// note: ``document`` is the id of the document if that is ready.
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
OPTIONAL MATCH (d:Document {id: c.documentId, status: 'ready'})
USING INDEX SEEK d:Document(id)
RETURN c.id AS id, d.id AS document