// Remove the communities of a tenant that are not among those to keep
// params: $tenant STRING, $keep LIST<STRING>
// mode: write
// returns: nothing
MATCH (c:Community {tenant: $tenant})
WHERE NOT c.id IN $keep
DETACH DELETE c