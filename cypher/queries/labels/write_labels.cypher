// Set properties of documents; those that are null are removed
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
SET d += row.properties
SET d.dated = coalesce(d.modifiedAt, d.createdAt, d.indexedAt)