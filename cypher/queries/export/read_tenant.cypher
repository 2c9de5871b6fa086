// A tenant's registry
// params: $tenant STRING
// mode: read
// returns: properties
MATCH (r:Tenant {tenant: $tenant})
RETURN properties(r) AS properties