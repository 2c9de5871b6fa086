// Remove communities
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (c:Community {id: id})
WHERE c.tenant = $tenant
DETACH DELETE c