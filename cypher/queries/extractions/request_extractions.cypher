// Let documents wait for a model as far as chunks of theirs were not read by it; those that need none wait no longer
// params: $tenant STRING, $rows LIST<MAP>, $key STRING
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
WITH
  d,
  row,
  COUNT {
    MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
    WHERE
      NOT EXISTS {
        MATCH (c)-[x:EXTRACTED_AS]->(r:ExtractionRecord)
        WHERE r.key + coalesce(x.manner, '') = $key
      }
  } AS chunks
CALL (d, row, chunks) {
  WITH *
  WHERE chunks > 0
  MERGE (p:PendingExtraction {id: d.id})
  SET
    p.tenant = $tenant,
    p.name = d.title,
    p.jobId = row.job,
    p.chunks = chunks,
    p.reason = null,
    p.attempt = 0,
    p.dueAt = 0
}
WITH d, chunks
WHERE chunks = 0
MATCH (p:PendingExtraction {id: d.id})
USING INDEX SEEK p:PendingExtraction(id)
DELETE p