// Remove pending uploads of documents whose bytes are again those that the graph holds
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE i.tenant = $tenant
DETACH DELETE i