// A page of entities with what leaves them, for a backup
// params: $tenant STRING, $after STRING, $limit INTEGER, $labels LIST<STRING>
// mode: read
// returns: key, labels, properties, and relationships as maps of type, label, key and properties; ordered by key
MATCH (n:Entity)
USING INDEX SEEK n:Entity(id)
WHERE n.id > $after AND n.tenant = $tenant
WITH n
ORDER BY n.id
LIMIT $limit
RETURN
  n.id AS key,
  labels(n) AS labels,
  properties(n) AS properties,
  COLLECT {
    MATCH (n)-[r]->(m)
    RETURN {
      type: type(r),
      label: head([label IN labels(m) WHERE label IN $labels]),
      key:
        CASE
          WHEN m:Tag THEN m.name
          WHEN m:Reference THEN m.key
          ELSE m.id
        END,
      properties: properties(r)
    }
  } AS relationships
ORDER BY key