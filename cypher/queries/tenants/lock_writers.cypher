// Keep writers of a tenant's documents waiting until the transaction ends
// params: $tenant STRING
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET r.lock = true