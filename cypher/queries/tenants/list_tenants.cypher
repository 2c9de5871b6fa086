// Every tenant
// mode: read
// reader: anyone because it names no document, and routes show the tenants that a key opens
// returns: tenant STRING
// allows: AnyTenant because whoever looks after the database looks after all of them
MATCH (r:Tenant)
RETURN r.tenant AS tenant
ORDER BY tenant