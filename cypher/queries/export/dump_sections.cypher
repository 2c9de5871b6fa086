// A page of sections with what leaves them, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id, labels, properties, and relationships as maps of type, end and properties; ordered by id
MATCH (s:Section)
USING INDEX SEEK s:Section(id)
WHERE s.id > $after AND s.tenant = $tenant
WITH s
ORDER BY s.id
LIMIT $limit
RETURN
  s.id AS id,
  labels(s) AS labels,
  properties(s) AS properties,
  COLLECT {
    MATCH (s)-[r]->(m)
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