// Every tenant
// mode: read
// returns: tenant STRING
// allows: AnyTenant because whoever looks after the database looks after all of them
MATCH (r:Tenant)
RETURN r.tenant AS tenant
ORDER BY tenant