// Remove what a restore makes again: notes of changes, outbox entries, leases
// params: $tenant STRING
// mode: write
// returns: nothing
CALL () {
  MATCH (n:GazetteerChange {tenant: $tenant})
  DETACH DELETE n
}
CALL () {
  MATCH (n:Outbox {tenant: $tenant})
  DETACH DELETE n
}
CALL () {
  MATCH (n:Lease {tenant: $tenant})
  WHERE n.name IS NOT NULL
  DETACH DELETE n
}