// Keep writers of a tenant's documents waiting until the transaction ends
// params: $tenant STRING
// mode: write
// returns: version INTEGER
// rows: optional
// note: ``version`` is the gazetteer's; no row if there is no such tenant.
MATCH (r:Tenant {tenant: $tenant})
SET r.lock = true
RETURN r.version AS version