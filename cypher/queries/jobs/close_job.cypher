// Close a job: all its documents were received
// params: $tenant STRING, $id STRING, $total INTEGER, $unchanged INTEGER, $unreadable LIST<STRING>
// mode: write
// returns: nothing
// note: Where a request was repeated, ``total`` counts what the last one sent; what an earlier one did is written, or in the ledger.
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
SET j.heartbeatAt = null
WITH j, coalesce(j.ready, 0) + coalesce(j.deleted, 0) AS done
CALL (j) {
  MATCH (i:IngestionRecord {jobId: j.id})
  USING INDEX SEEK i:IngestionRecord(jobId, stage)
  WHERE i.stage IS NOT NULL
  RETURN count(i) AS pending
}
SET
  j.total =
    CASE
      WHEN done + pending > $total THEN done + pending
      ELSE $total
    END,
  j.unchanged = $unchanged,
  j.unreadable = $unreadable,
  j.updatedAt = timestamp()