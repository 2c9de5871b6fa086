// Keep writers of a tenant's documents waiting until the transaction ends
// params: $tenant STRING
// mode: write
// returns: tenant
MATCH (r:Tenant {tenant: $tenant})
SET r.lock = true
RETURN r.tenant AS tenant