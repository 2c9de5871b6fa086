// Extend the leases of documents that a model is reading; return those that are still to be read
// params: $tenant STRING, $ids LIST<STRING>, $owner STRING, $leaseMs INTEGER
// mode: write
// returns: id STRING
// rows: many
// note: None while the tenant is paused.
UNWIND $ids AS id
MATCH (p:PendingExtraction {id: id})
USING INDEX SEEK p:PendingExtraction(id)
WHERE p.tenant = $tenant AND p.owner = $owner
SET p.dueAt = timestamp() + $leaseMs
WITH p
WHERE
  NOT EXISTS {
    MATCH (:Tenant {tenant: $tenant, extractionPaused: true})
  }
RETURN p.id AS id