// Those of a page of facts that no chunk asserts
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: last (id of the page's last fact; null after the end), ids
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