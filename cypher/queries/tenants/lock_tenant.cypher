// Take the tenant's write lock and begin the next version of its gazetteer
// params: $tenant STRING
// mode: write
// returns: version INTEGER
// rows: optional
// note: ``version`` is the new one; no row if there is no such tenant yet, or if it is being removed.
MATCH (r:Tenant {tenant: $tenant})
SET r.lock = true
WITH r
WHERE r.removing IS NULL
SET r.version = r.version + 1
RETURN r.version AS version