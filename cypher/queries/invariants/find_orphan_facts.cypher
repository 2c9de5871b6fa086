// Facts of a page that no chunk asserts
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: last STRING?, ids LIST<STRING>
// rows: one
// note: ``last`` is the id of the page's last fact, null after the end.
MATCH (f:Fact)
USING INDEX SEEK f:Fact(id)
WHERE f.id > $after AND f.tenant = $tenant
WITH f
ORDER BY f.id
LIMIT $limit
WITH f.id AS id, EXISTS { (f)<-[:ASSERTS]-(:Chunk) } AS held
RETURN max(id) AS last, collect(
    CASE
      WHEN NOT held THEN id
    END) AS ids