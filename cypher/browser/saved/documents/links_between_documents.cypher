// Links between the documents that have most of them
// params: $tenant STRING
// mode: read
// returns: paths from a document to one that it links to (twelve documents, five links of each, to those with most links first)
MATCH (d:Document {tenant: $tenant})
WITH d, COUNT { (d)-[:LINKS_TO]->() } AS links
WHERE links > 0
WITH d
ORDER BY links DESC, d.id
LIMIT 12
CALL (d) {
  MATCH path = (d)-[:LINKS_TO]->(o:Document)
  RETURN path
  ORDER BY COUNT { (o)<-[:LINKS_TO]-() } DESC, o.id
  LIMIT 5
}
RETURN path