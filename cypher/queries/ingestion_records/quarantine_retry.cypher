// Put quarantined ledger entries back to the beginning, once for a release; their jobs count them as on their way again
// params: $tenant STRING, $ids LIST<STRING>, $release STRING
// mode: write
// returns: id, jobId; also of those that this release has put back before
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