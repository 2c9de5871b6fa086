// A page of documents with what leaves them, for the canonical dump
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// returns: id, labels, properties, and relationships as maps of type, end and properties; ordered by id
MATCH (d:Document)
USING INDEX SEEK d:Document(id)
WHERE d.id > $after AND d.tenant = $tenant
WITH d
ORDER BY d.id
LIMIT $limit
RETURN
  d.id AS id,
  labels(d) AS labels,
  properties(d) AS properties,
  COLLECT {
    MATCH (d)-[r]->(m)
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