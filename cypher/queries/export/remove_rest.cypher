// Remove the nodes that no backup holds: gazetteer changes, outbox entries, leases
// params: $tenant STRING
// mode: write
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