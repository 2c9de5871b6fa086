// Tenants that are being removed
// mode: read
// reader: operators because only writers and workers run it
// returns: tenant STRING
// allows: AnyTenant because the sweeper serves all tenants
MATCH (r:Tenant)
WHERE r.removing IS NOT NULL
RETURN r.tenant AS tenant
ORDER BY tenant