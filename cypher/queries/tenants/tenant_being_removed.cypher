// Whether a tenant is being removed
// params: $tenant STRING
// mode: read
// reader: anyone because it tells of no document
// returns: removing BOOLEAN
// rows: optional
MATCH (r:Tenant {tenant: $tenant})
RETURN r.removing IS NOT NULL AS removing