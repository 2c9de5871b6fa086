// Note that a decision is applied to all documents
// params: $tenant STRING
// mode: write
// allows: NodeByLabelScan because there is one node a decision that is being applied, and none at rest
// returns: nothing
MATCH (p:PendingDecision {tenant: $tenant})
DELETE p