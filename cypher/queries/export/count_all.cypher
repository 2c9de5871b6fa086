// Count every node and relationship of a tenant, also of labels that the export does not know
// params: $tenant STRING
// mode: read
// reader: operators because it reads a tenant whole
// allows: AllNodesScan because a label that the export does not know must not be lost
// returns: labels LIST<STRING>, nodes INTEGER, relationships INTEGER
// note: Relationships count where they start.
MATCH (n)
WHERE n.tenant = $tenant
RETURN
  labels(n) AS labels,
  count(n) AS nodes,
  sum(COUNT { (n)-->() }) AS relationships
ORDER BY labels