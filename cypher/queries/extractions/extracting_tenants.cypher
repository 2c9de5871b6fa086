// Tenants with documents that wait for a model and are due
// params: $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// allows: AnyTenant because the sweeper serves all tenants
// returns: tenant STRING
// rows: many
MATCH (p:PendingExtraction)
WHERE p.dueAt <= timestamp()
WITH DISTINCT p.tenant AS tenant
WHERE
  NOT EXISTS {
    MATCH (t:Tenant {tenant: tenant})
    WHERE t.extractionPaused OR t.restoring
  }
RETURN tenant
ORDER BY tenant
LIMIT $limit