// Those of some chunks that the graph holds
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, document (its id if it is ready, else null)
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
OPTIONAL MATCH (d:Document {id: c.documentId, status: 'ready'})
USING INDEX SEEK d:Document(id)
RETURN c.id AS id, d.id AS document