// Remove documents whose structure and chunks are gone
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
DETACH DELETE d