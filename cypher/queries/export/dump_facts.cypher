// A page of facts with what leaves them, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id, labels, properties, and relationships as maps of type, end and properties; ordered by id
MATCH (f:Fact)
USING INDEX SEEK f:Fact(id)
WHERE f.id > $after AND f.tenant = $tenant
WITH f
ORDER BY f.id
LIMIT $limit
RETURN
  f.id AS id,
  labels(f) AS labels,
  properties(f) AS properties,
  COLLECT {
    MATCH (f)-[r]->(m)
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