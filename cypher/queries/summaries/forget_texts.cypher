// Remove generated texts that no one asks for any more, and take those that are kept from what they do not describe any more
// params: $tenant STRING, $keep LIST<STRING>, $pairs LIST<STRING>
// mode: write
// returns: nothing
// note: ``pairs`` are the id of a text and that of an entity or a community, with a space between them.
MATCH (t:GeneratedText {tenant: $tenant})
CALL (t) {
  WITH t
  WHERE NOT t.id IN $keep
  DETACH DELETE t
}
WITH DISTINCT 1 AS done
MATCH (t:GeneratedText {tenant: $tenant})-[x:DESCRIBES]->(s)
WHERE NOT (t.id + ' ' + s.id) IN $pairs
DELETE x