// Forget which backup a tenant was restored from: its vectors are there, too
// params: $tenant STRING
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
REMOVE r.restoredFrom