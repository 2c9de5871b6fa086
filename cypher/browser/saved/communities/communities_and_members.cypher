// The largest communities and their members
// params: $tenant STRING
// mode: read
// returns: paths from an entity to its finest community and those above it
MATCH (c:Community {tenant: $tenant})
WITH c
ORDER BY c.level DESC, c.size DESC, c.id
LIMIT 8
CALL (c) {
  MATCH path = (:Entity)-[:IN_COMMUNITY]->(:Community)-[:PARENT*0..10]->(c)
  RETURN path
  LIMIT 25
    UNION ALL
  MATCH path = (:Community)-[:PARENT]->(c)
  RETURN path
  LIMIT 25
}
RETURN path