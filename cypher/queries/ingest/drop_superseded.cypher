// Drop pending uploads of documents whose bytes are again those that the graph holds
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (i:Intake {id: id})
USING INDEX SEEK i:Intake(id)
WHERE i.tenant = $tenant
DETACH DELETE i