// Count all that a tenant has, also what no other query of a backup knows
// params: $tenant STRING
// mode: read
// allows: AllNodesScan because only so nothing is overlooked
// returns: labels, nodes, relationships (that leave them)
MATCH (n)
WHERE n.tenant = $tenant
RETURN
  labels(n) AS labels,
  count(n) AS nodes,
  sum(COUNT { (n)-->() }) AS relationships
ORDER BY labels