// Write relationships of a backup between nodes that are there
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
CALL (row) {
  MATCH
    (n:Document
      |Section
      |Chunk
      |Entity
      |Fact
      |Community
      |Job
      |IngestionRecord
      |ExtractionRecord
      |PendingExtraction
      |TokenUsage
      |Decision
      |UndoneDecision
      |GeneratedText
      {id: row.startKey})
  WHERE row.startLabel IN labels(n)
  RETURN n AS s
    UNION
  MATCH (n:Tag {tenant: $tenant, name: row.startKey})
  WHERE row.startLabel = 'Tag'
  RETURN n AS s
    UNION
  MATCH (n:Reference {tenant: $tenant, key: row.startKey})
  WHERE row.startLabel = 'Reference'
  RETURN n AS s
}
CALL (row) {
  MATCH
    (n:Document
      |Section
      |Chunk
      |Entity
      |Fact
      |Community
      |Job
      |IngestionRecord
      |ExtractionRecord
      |PendingExtraction
      |TokenUsage
      |Decision
      |UndoneDecision
      |GeneratedText
      {id: row.endKey})
  WHERE row.endLabel IN labels(n)
  RETURN n AS e
    UNION
  MATCH (n:Tag {tenant: $tenant, name: row.endKey})
  WHERE row.endLabel = 'Tag'
  RETURN n AS e
    UNION
  MATCH (n:Reference {tenant: $tenant, key: row.endKey})
  WHERE row.endLabel = 'Reference'
  RETURN n AS e
}
CREATE (s)-[r:$(row.type)]->(e)
SET r = row.properties