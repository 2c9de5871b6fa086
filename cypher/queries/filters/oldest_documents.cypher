// A page of documents by date, the oldest first, equal ones by id
// params: $tenant STRING, $prefix STRING, $tag STRING?, $date STRING, $after STRING, $limit INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: id STRING, dated STRING
// note: ``$date`` and ``$after`` are those of the last document of the page before; for the first page the date is empty.
//   A disjunction in place of CASE would be planned as a union, which is sorted.
MATCH (d:Document {tenant: $tenant})
USING INDEX SEEK d:Document(tenant, dated)
WHERE
  d.dated >= $date AND
  CASE
    WHEN d.dated = $date THEN d.id > $after
    ELSE true
  END AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups)) AND
  d.sourceUri STARTS WITH $prefix AND
  ($filter IS NULL OR (d.status = 'ready' AND [d, d, d] = $filter)) AND
  ($tag IS NULL OR
    any(tag IN d.tags WHERE tag = $tag OR tag STARTS WITH $tag + '/'))
RETURN d.id AS id, d.dated AS dated
ORDER BY d.tenant, d.dated, d.id
LIMIT $limit