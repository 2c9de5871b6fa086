// A page of documents, and the links that lead on from each
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: source, links (lists of target, kind and anchor); ordered by source
MATCH (d:Document)
USING INDEX SEEK d:Document(id)
WHERE d.id > $after AND d.tenant = $tenant
WITH d
ORDER BY d.id
LIMIT $limit
RETURN
  d.id AS source,
  COLLECT {
    MATCH (d)-[x:LINKS_TO]->(other:Document)
    RETURN [other.id, x.kind, x.anchor]
  } AS links
ORDER BY source