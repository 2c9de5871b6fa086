// Whether anything was ever ingested, or is on its way, for a tenant
// params: $tenant STRING
// mode: read
// returns: known BOOLEAN
// rows: one
RETURN
  EXISTS { (:Tenant {tenant: $tenant}) } OR
  EXISTS { (:IngestionRecord {tenant: $tenant}) } OR
  EXISTS {
  (:Job {tenant: $tenant})
  } AS known