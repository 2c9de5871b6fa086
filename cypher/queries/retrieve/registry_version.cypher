// Version of a tenant's registry and number of its passages
// params: $tenant STRING
// mode: read
// returns: version, chunks (how many passages the tenant has)
MATCH (r:Registry {tenant: $tenant})
RETURN r.version AS version, coalesce(r.chunks, 0) AS chunks