// Tenants with a decision that is being applied
// mode: read
// reader: operators because only writers and workers run it
// allows: AnyTenant NodeByLabelScan because the sweeper serves all tenants, and there is one node a decision that is being applied
// returns: tenant STRING
MATCH (p:PendingDecision)
RETURN DISTINCT p.tenant AS tenant
ORDER BY tenant