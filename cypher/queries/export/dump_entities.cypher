// A page of entities with what leaves them, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id, labels, properties, and relationships as maps of type, end and properties; ordered by id
MATCH (e:Entity)
USING INDEX SEEK e:Entity(id)
WHERE e.id > $after AND e.tenant = $tenant
WITH e
ORDER BY e.id
LIMIT $limit
RETURN
  e.id AS id,
  labels(e) AS labels,
  properties(e) AS properties,
  COLLECT {
    MATCH (e)-[r]->(m)
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