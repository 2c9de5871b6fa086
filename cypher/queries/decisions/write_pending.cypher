// Note how far the evidence of documents follows a decision
// params: $tenant STRING, $decision STRING, $place STRING
// mode: write
// allows: NodeByLabelScan because there is one node a decision that is being applied, and none at rest
// returns: nothing
MERGE (p:PendingDecision {tenant: $tenant})
SET p.decision = $decision, p.place = $place, p.updatedAt = timestamp()