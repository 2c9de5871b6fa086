// Remove the nodes that no backup holds: gazetteer changes, outbox entries, leases, and what is left of chunks that were being linked
// params: $tenant STRING
// mode: write
// allows: NodeByLabelScan because the labels of chunks being linked and entities being embedded have few nodes, and none at rest
// returns: nothing
CALL () {
  MATCH (n:GazetteerChange {tenant: $tenant})
  DETACH DELETE n
}
CALL () {
  MATCH (n:Outbox {tenant: $tenant})
  WHERE n.dueAt IS NOT NULL
  DETACH DELETE n
}
CALL () {
  MATCH (n:Lease {tenant: $tenant})
  WHERE n.name IS NOT NULL
  DETACH DELETE n
}
CALL () {
  MATCH (n:PendingRelink {tenant: $tenant})
  DETACH DELETE n
}
CALL () {
  MATCH (n:RetiredEntity {tenant: $tenant})
  DETACH DELETE n
}
CALL () {
  MATCH (n:PendingDecision {tenant: $tenant})
  DETACH DELETE n
}
CALL () {
  MATCH (n:PendingEmbedding {tenant: $tenant})
  DETACH DELETE n
}