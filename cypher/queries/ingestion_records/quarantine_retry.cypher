// Put quarantined ledger entries back to the first stage, once for each release; their jobs no longer count them as failed
// params: $tenant STRING, $ids LIST<STRING>, $release STRING
// mode: write
// returns: id STRING, jobId STRING
// note: Rows of an earlier run of the same release come back too.
UNWIND $ids AS id
MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
SET i.lock = true
WITH i
WHERE i.tenant = $tenant AND (i.stage = 'quarantined' OR i.release = $release)
CALL (i) {
  WITH i
  WHERE i.stage = 'quarantined' AND coalesce(i.release <> $release, true)
  OPTIONAL MATCH (j:Job {id: i.jobId})
  USING INDEX SEEK j:Job(id)
  SET
    i.stage = 'received',
    i.attempt = 0,
    i.generation = i.generation + 1,
    i.retryAt = null,
    i.reason = null,
    i.error = null,
    i.failedStage = null,
    i.release = $release,
    j.failed = j.failed - 1,
    j.updatedAt = timestamp()
}
RETURN i.id AS id, i.jobId AS jobId
ORDER BY id