// Pairs of linked documents that begin or end at some documents, the first by id
// params: $tenant STRING, $ids LIST<STRING>, $outgoing BOOLEAN, $incoming BOOLEAN, $limit INTEGER
// mode: read
// reader: filtered
// returns: source STRING, target STRING, links LIST<{kind STRING, anchor STRING}>
// note: one row a document, direction and pair.
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE
  d.tenant = $tenant AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
CALL (d) {
  MATCH (d)-[x:LINKS_TO]->(other:Document)
  WHERE
    $outgoing AND
    ($groups IS NULL OR
      other.access IS NULL OR
      any(g IN other.access WHERE g IN $groups))
  WITH d, other, collect(x {.kind, .anchor}) AS links
  RETURN d.id AS source, other.id AS target, links
  ORDER BY target
  LIMIT $limit
    UNION
  MATCH (d)<-[x:LINKS_TO]-(other:Document)
  WHERE
    $incoming AND
    ($groups IS NULL OR
      other.access IS NULL OR
      any(g IN other.access WHERE g IN $groups))
  WITH d, other, collect(x {.kind, .anchor}) AS links
  RETURN other.id AS source, d.id AS target, links
  ORDER BY source
  LIMIT $limit
}
RETURN source, target, links