// The decision that is being applied to a tenant's documents
// params: $tenant STRING
// mode: read
// reader: operators because only writers and workers run it
// allows: NodeByLabelScan because there is one node a decision that is being applied, and none at rest
// returns: decision STRING, place STRING, updatedAt INTEGER
// rows: optional
MATCH (p:PendingDecision {tenant: $tenant})
RETURN p.decision AS decision, p.place AS place, p.updatedAt AS updatedAt
LIMIT 1