// The largest communities and the members that most chunks mention
// params: $tenant STRING
// mode: read
// returns: paths from an entity to its finest community and those above it (five communities, five members of each)
MATCH (c:Community {tenant: $tenant})
WITH c
ORDER BY c.level DESC, c.size DESC, c.id
LIMIT 5
CALL (c) {
  MATCH (e:Entity)-[:IN_COMMUNITY]->(:Community)-[:PARENT*0..10]->(c)
  WITH e, c
  ORDER BY COUNT { (e)<-[:MENTIONS]-() } DESC, e.id
  LIMIT 5
  MATCH path = (e)-[:IN_COMMUNITY]->(:Community)-[:PARENT*0..10]->(c)
  RETURN path
}
RETURN path