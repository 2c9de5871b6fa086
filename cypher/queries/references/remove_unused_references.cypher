// Remove tags and references that nothing uses any more
// params: $tenant STRING, $tags LIST<STRING>, $references LIST<STRING>
// mode: write
// returns: nothing
CALL () {
  UNWIND $tags AS name
  MATCH (t:Tag {tenant: $tenant, name: name})
  WHERE NOT EXISTS { (t)<-[:TAGGED]-() }
  DELETE t
}
CALL () {
  UNWIND $references AS key
  MATCH (r:Reference {tenant: $tenant, key: key})
  WHERE NOT EXISTS { (r)<-[:REFERS_TO|KNOWN_AS]-() }
  DELETE r
}