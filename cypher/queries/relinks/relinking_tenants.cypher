// Tenants whose chunks are still to be linked again
// mode: read
// reader: operators because only writers and workers run it
// allows: AnyTenant NodeByLabelScan because the sweeper serves all tenants, and there is one node a change that is being linked
// returns: tenant STRING
MATCH (p:PendingRelink)
RETURN DISTINCT p.tenant AS tenant
ORDER BY tenant