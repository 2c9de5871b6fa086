// Chunks of a page that mention what is no entity, an entity by an alias it has lost, or a title that is not their document's
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: last STRING?, ids LIST<STRING>
// rows: one
// allows: NodeByLabelScan because there is one node a change that is being linked, and none at rest
// note: While older chunks are being linked, those that are to come may mention retired entities and lost aliases. ``last`` is the id of the page's last chunk, null after the end.
MATCH (c:Chunk)
USING INDEX SEEK c:Chunk(id)
WHERE c.id > $after AND c.tenant = $tenant
WITH c
ORDER BY c.id
LIMIT $limit
WITH
  c.id AS id,
  EXISTS {
    MATCH (c)-[m:MENTIONS]->(e)
    WHERE
      NOT (e:Entity OR e:RetiredEntity) OR
      e.tenant <> $tenant OR
      (e:Entity AND
        m.via = 'linker' AND
        NOT m.key IN coalesce(e.keys, []) AND
        NOT EXISTS {
          MATCH (p:PendingRelink {tenant: $tenant})
          WHERE m.key IN p.keys
        }) OR
      (m.via = 'title' AND
        NOT EXISTS {
        (:Document {id: c.documentId})-[:ABOUT]->(e)
        })
  } AS broken
RETURN max(id) AS last, collect(
    CASE
      WHEN broken THEN id
    END) AS ids