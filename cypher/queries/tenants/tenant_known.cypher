// Whether anything was ever ingested, or is on its way, for a tenant
// params: $tenant STRING
// mode: read
// reader: anyone because it tells of no document
// returns: known BOOLEAN
// rows: one
// note: The conditions that always hold are there for the indexes, which have two properties.
RETURN
  EXISTS {
    MATCH (r:Tenant {tenant: $tenant})
  } OR
  EXISTS {
    MATCH (i:IngestionRecord {tenant: $tenant})
    WHERE i.stage IS NOT NULL
  } OR
  EXISTS {
    MATCH (j:Job {tenant: $tenant})
    WHERE j.createdAt IS NOT NULL
  } AS known