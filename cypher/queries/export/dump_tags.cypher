// A page of tags, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id (the name), labels, properties, and no relationships; ordered by id
MATCH (t:Tag)
WHERE t.tenant = $tenant AND t.name > $after
WITH t
ORDER BY t.name
LIMIT $limit
RETURN
  t.name AS id,
  labels(t) AS labels,
  properties(t) AS properties,
  [] AS relationships
ORDER BY id