// A tenant's registry
// params: $tenant STRING
// mode: read
// returns: properties
MATCH (r:Registry {tenant: $tenant})
RETURN properties(r) AS properties