// What the link graph shows of some documents
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, document (properties), keys (it is known as), incoming, outgoing (numbers of links)
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