// Drop a job's ledger entries without a lease; those in quarantine stay
// params: $tenant STRING, $id STRING
// mode: write
// returns: nothing
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
SET j.cancelled = true, j.updatedAt = timestamp()
WITH j
CALL (j) {
  MATCH (p:PendingExtraction {jobId: j.id})
  WHERE p.tenant = $tenant
  DELETE p
}
MATCH (i:IngestionRecord {jobId: j.id})
USING INDEX SEEK i:IngestionRecord(jobId, stage)
WHERE
  i.stage IS NOT NULL AND
  i.stage <> 'quarantined' AND
  coalesce(i.leaseUntil, 0) < timestamp()
DETACH DELETE i