// Write nodes of a backup; those that an attempt before has written stay
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
WITH row
WHERE
  NOT EXISTS {
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
        {id: row.key})
    WHERE row.label IN labels(n)
  } AND
  NOT EXISTS {
    MATCH (n:Tag {tenant: $tenant, name: row.key})
    WHERE row.label = 'Tag'
  } AND
  NOT EXISTS {
    MATCH (n:Reference {tenant: $tenant, key: row.key})
    WHERE row.label = 'Reference'
  }
CREATE (n:$(row.labels))
SET n = row.properties
SET
  n.dated =
    CASE row.label
      WHEN 'Document' THEN coalesce(n.modifiedAt, n.createdAt, n.indexedAt)
    END