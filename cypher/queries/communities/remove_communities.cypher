// Remove communities
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (c:Community {id: id})
USING INDEX SEEK c:Community(id)
WHERE c.tenant = $tenant
DETACH DELETE c