// Pairs of documents that lead on from some documents, or back to them, the first by id
// params: $tenant STRING, $ids LIST<STRING>, $on BOOLEAN, $back BOOLEAN, $limit INTEGER
// mode: read
// returns: source, target, links (kind, anchor), one row a document, direction and pair
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
CALL (d) {
  MATCH (d)-[x:LINKS_TO]->(other:Document)
  WHERE $on
  WITH d, other, collect(x {.kind, .anchor}) AS links
  RETURN d.id AS source, other.id AS target, links
  ORDER BY target
  LIMIT $limit
    UNION
  MATCH (d)<-[x:LINKS_TO]-(other:Document)
  WHERE $back
  WITH d, other, collect(x {.kind, .anchor}) AS links
  RETURN other.id AS source, d.id AS target, links
  ORDER BY source
  LIMIT $limit
}
RETURN source, target, links