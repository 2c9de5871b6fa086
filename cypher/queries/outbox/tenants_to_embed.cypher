// Tenants with entities whose texts wait to be embedded
// mode: read
// reader: operators because only writers and workers run it
// allows: AnyTenant NodeByLabelScan because the sweeper serves all tenants, and there is one node a transaction that is not embedded yet
// returns: tenant STRING
MATCH (p:PendingEmbedding)
RETURN DISTINCT p.tenant AS tenant
ORDER BY tenant