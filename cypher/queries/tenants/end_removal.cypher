// Remove the node of a tenant that is being removed
// params: $tenant STRING
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
WHERE r.removing IS NOT NULL
DETACH DELETE r