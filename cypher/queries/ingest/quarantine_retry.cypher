// Put quarantined ledger entries back to the beginning; their jobs count them as on their way again
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: id, jobId
UNWIND $ids AS id
MATCH (i:Intake {id: id})
USING INDEX SEEK i:Intake(id)
SET i.lock = true
WITH i
WHERE i.tenant = $tenant AND i.stage = 'quarantined'
SET
  i.stage = 'received',
  i.attempt = 0,
  i.generation = i.generation + 1,
  i.retryAt = null,
  i.reason = null,
  i.error = null,
  i.failedStage = null
WITH i
CALL (i) {
  OPTIONAL MATCH (j:Job {id: i.jobId})
  USING INDEX SEEK j:Job(id)
  SET j.failed = j.failed - 1, j.updatedAt = timestamp()
}
RETURN i.id AS id, i.jobId AS jobId
ORDER BY id