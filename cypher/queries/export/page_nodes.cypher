// A page of nodes of one label by key, with their outgoing relationships
// params: $tenant STRING, $label STRING, $after STRING, $limit INTEGER, $labels LIST<STRING>
// mode: read
// reader: operators because it reads a tenant whole
// returns: key STRING, labels LIST<STRING>, properties MAP,
//   relationships LIST<{type STRING, label STRING?, key STRING, properties MAP}>
// note: A relationship names its end by one of the given labels and its key.
// A branch a label, because a label that is a parameter cannot use an index; only the branch of the label reads anything.
CALL () {
  WITH $label AS label
  WHERE label = 'Document'
  MATCH (n:Document)
  USING INDEX SEEK n:Document(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Section'
  MATCH (n:Section)
  USING INDEX SEEK n:Section(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Chunk'
  MATCH (n:Chunk)
  USING INDEX SEEK n:Chunk(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Entity'
  MATCH (n:Entity)
  USING INDEX SEEK n:Entity(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Fact'
  MATCH (n:Fact)
  USING INDEX SEEK n:Fact(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Community'
  MATCH (n:Community)
  USING INDEX SEEK n:Community(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Job'
  MATCH (n:Job)
  USING INDEX SEEK n:Job(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'IngestionRecord'
  MATCH (n:IngestionRecord)
  USING INDEX SEEK n:IngestionRecord(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'ExtractionRecord'
  MATCH (n:ExtractionRecord)
  USING INDEX SEEK n:ExtractionRecord(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Decision'
  MATCH (n:Decision)
  USING INDEX SEEK n:Decision(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'PendingExtraction'
  MATCH (n:PendingExtraction)
  USING INDEX SEEK n:PendingExtraction(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'TokenUsage'
  MATCH (n:TokenUsage)
  USING INDEX SEEK n:TokenUsage(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'UndoneDecision'
  MATCH (n:UndoneDecision)
  USING INDEX SEEK n:UndoneDecision(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'GeneratedText'
  MATCH (n:GeneratedText)
  USING INDEX SEEK n:GeneratedText(id)
  WHERE n.id > $after AND n.tenant = $tenant
  RETURN n, n.id AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Tag'
  MATCH (n:Tag)
  WHERE n.tenant = $tenant AND n.name > $after
  RETURN n, n.name AS key
  ORDER BY key
  LIMIT $limit
    UNION ALL
  WITH $label AS label
  WHERE label = 'Reference'
  MATCH (n:Reference)
  WHERE n.tenant = $tenant AND n.key > $after
  RETURN n, n.key AS key
  ORDER BY key
  LIMIT $limit
}
RETURN
  key,
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