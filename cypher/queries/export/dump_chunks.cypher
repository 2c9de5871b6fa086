// A page of chunks with what leaves them, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id, labels, properties, and relationships as maps of type, end and properties; ordered by id
MATCH (c:Chunk)
USING INDEX SEEK c:Chunk(id)
WHERE c.id > $after AND c.tenant = $tenant
WITH c
ORDER BY c.id
LIMIT $limit
RETURN
  c.id AS id,
  labels(c) AS labels,
  properties(c) AS properties,
  COLLECT {
    MATCH (c)-[r]->(m)
    WHERE NOT m:Community
    RETURN {
      type: type(r),
      end:
        CASE
          WHEN m:Tag THEN m.name
          WHEN m:Reference THEN m.key
          ELSE m.id
        END,
      properties: properties(r)
    }
  } AS relationships
ORDER BY id