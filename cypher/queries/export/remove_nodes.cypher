// Remove nodes of one label, with their relationships
// params: $tenant STRING, $label STRING, $keys LIST<STRING>
// mode: write
// returns: nothing
UNWIND $keys AS key
CALL (key) {
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
      {id: key})
  WHERE $label IN labels(n)
  RETURN n AS found
    UNION
  MATCH (n:Tag {tenant: $tenant, name: key})
  WHERE $label = 'Tag'
  RETURN n AS found
    UNION
  MATCH (n:Reference {tenant: $tenant, key: key})
  WHERE $label = 'Reference'
  RETURN n AS found
}
WITH found
WHERE found.tenant = $tenant
DETACH DELETE found