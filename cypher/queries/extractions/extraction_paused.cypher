// Whether a tenant's documents are made to wait
// params: $tenant STRING
// mode: read
// reader: operators because it is about all documents of a tenant
// returns: paused BOOLEAN
// rows: optional
MATCH (t:Tenant {tenant: $tenant})
RETURN coalesce(t.extractionPaused, false) AS paused