// Communities of a page that have no members, or not as many as they say
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: last STRING?, ids LIST<STRING>
// rows: one
// note: ``last`` is the id of the page's last community, null after the end.
MATCH (c:Community)
USING INDEX SEEK c:Community(id)
WHERE c.id > $after AND c.tenant = $tenant
WITH c
ORDER BY c.id
LIMIT $limit
WITH
  c.id AS id,
  c.size AS size,
  COUNT {
  (c)<-[:PARENT*0..10]-(:Community)<-[:IN_COMMUNITY]-(:Entity)
  } AS members
RETURN
  max(id) AS last,
  collect(
    CASE
      WHEN members = 0 OR members <> coalesce(size, 0) THEN id
    END) AS ids