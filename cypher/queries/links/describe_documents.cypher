// Documents of the link graph, with the keys that name them and the numbers of their links
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because links are read whole
// returns: id STRING, document MAP, keys LIST<STRING>, incoming INTEGER, outgoing INTEGER
// note: ``document`` holds the node's properties.
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
RETURN
  id,
  properties(d) AS document,
  COLLECT {
    MATCH (d)-[:KNOWN_AS]->(r:Reference)
    RETURN r.key
  } AS keys,
  COUNT { (d)<-[:LINKS_TO]-() } AS incoming,
  COUNT { (d)-[:LINKS_TO]->() } AS outgoing