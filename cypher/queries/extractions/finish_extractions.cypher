// Count the chunks that documents still wait for, and those that were read for their jobs; who waits for none waits no longer
// params: $tenant STRING, $rows LIST<MAP>, $key STRING
// mode: write
// returns: nothing
UNWIND $rows AS row
CALL (row) {
  MATCH (j:Job {id: row.job})
  USING INDEX SEEK j:Job(id)
  WHERE j.tenant = $tenant
  SET
    j.llmChunks = coalesce(j.llmChunks, 0) + row.read,
    j.llmFailed = coalesce(j.llmFailed, 0) + row.failed
}
MATCH (p:PendingExtraction {id: row.id})
USING INDEX SEEK p:PendingExtraction(id)
WHERE p.tenant = $tenant
OPTIONAL MATCH (d:Document {id: row.id})
USING INDEX SEEK d:Document(id)
WITH
  p,
  COUNT {
    MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
    WHERE
      NOT EXISTS {
        MATCH (c)-[x:EXTRACTED_AS]->(r:ExtractionRecord)
        WHERE r.key + coalesce(x.manner, '') = $key
      }
  } AS chunks
SET p.chunks = chunks
WITH p
WHERE p.chunks = 0
DELETE p