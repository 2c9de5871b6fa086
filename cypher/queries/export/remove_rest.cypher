// Remove what a restore makes anew: notes of changes, outbox entries
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