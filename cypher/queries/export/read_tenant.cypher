// The properties of a tenant's node
// params: $tenant STRING
// mode: read
// reader: operators because it reads a tenant whole
// returns: properties MAP
// rows: optional
MATCH (r:Tenant {tenant: $tenant})
RETURN properties(r) AS properties