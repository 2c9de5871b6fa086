// Take the tenant's write lock and begin the next version of its gazetteer
// params: $tenant STRING
// mode: write
// returns: version INTEGER
// rows: optional
// note: No row if the tenant has no gazetteer yet.
MATCH (r:Tenant {tenant: $tenant})
SET r.lock = true
WITH r
SET r.version = r.version + 1
RETURN r.version AS version