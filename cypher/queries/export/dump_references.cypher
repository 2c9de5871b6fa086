// A page of references, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id (the key), labels, properties, and no relationships; ordered by id
MATCH (r:Reference)
WHERE r.tenant = $tenant AND r.key > $after
WITH r
ORDER BY r.key
LIMIT $limit
RETURN
  r.key AS id,
  labels(r) AS labels,
  properties(r) AS properties,
  [] AS relationships
ORDER BY id