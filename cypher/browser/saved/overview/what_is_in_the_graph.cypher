// What is in the graph
// params: $tenant STRING
// mode: read
// returns: what, count (one row a kind of node)
CALL () {
  MATCH (n:Document {tenant: $tenant})
  RETURN 'documents' AS what, count(n) AS count
    UNION ALL
  MATCH (n:Section {tenant: $tenant})
  RETURN 'sections' AS what, count(n) AS count
    UNION ALL
  MATCH (n:Chunk {tenant: $tenant})
  RETURN 'chunks' AS what, count(n) AS count
    UNION ALL
  MATCH (n:Entity {tenant: $tenant})
  RETURN 'entities' AS what, count(n) AS count
    UNION ALL
  MATCH (n:Fact {tenant: $tenant})
  RETURN 'facts' AS what, count(n) AS count
    UNION ALL
  MATCH (n:Community {tenant: $tenant})
  RETURN 'communities' AS what, count(n) AS count
    UNION ALL
  MATCH (n:Tag {tenant: $tenant})
  RETURN 'tags' AS what, count(n) AS count
}
RETURN what, count