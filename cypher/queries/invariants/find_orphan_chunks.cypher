// Chunks of a page that no document has
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: last STRING?, ids LIST<STRING>
// rows: one
// note: ``last`` is the id of the page's last chunk, null after the end.
MATCH (c:Chunk)
USING INDEX SEEK c:Chunk(id)
WHERE c.id > $after AND c.tenant = $tenant
WITH c
ORDER BY c.id
LIMIT $limit
WITH
  c.id AS id,
  EXISTS { (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(:Document) } AS held
RETURN max(id) AS last, collect(
    CASE
      WHEN NOT held THEN id
    END) AS ids