// Take the tenant's write lock and begin the next version of its registry
// params: $tenant STRING
// mode: write
// returns: version (the new one); nothing if there is no registry yet
MATCH (r:Tenant {tenant: $tenant})
SET r.lock = true
WITH r
SET r.version = r.version + 1
RETURN r.version AS version