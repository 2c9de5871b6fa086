// Version of a tenant's registry
// params: $tenant STRING
// mode: read
// returns: version
MATCH (r:Registry {tenant: $tenant})
RETURN r.version AS version
