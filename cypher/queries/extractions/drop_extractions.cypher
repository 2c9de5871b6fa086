// Documents wait no longer for a model
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (p:PendingExtraction {id: id})
USING INDEX SEEK p:PendingExtraction(id)
WHERE p.tenant = $tenant
DELETE p