// A page of documents, each with the links that leave it, by id
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because links are read whole
// returns: source STRING, links LIST<(STRING, STRING, STRING)>
// note: a link is target, kind and anchor.
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