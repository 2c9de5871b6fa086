// Those of some documents that satisfy a metadata filter
// params: $tenant STRING, $ids LIST<STRING>, $filter MAP
// mode: read
// reader: filtered
// returns: id STRING
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE
  d.tenant = $tenant AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups)) AND
  [d, d, d] = $filter
RETURN d.id AS id