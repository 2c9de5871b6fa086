// Remove finished jobs with their idempotency keys; a job with documents on their way or in quarantine stays
// params: $before INTEGER, $limit INTEGER
// mode: write
// returns: removed INTEGER
// rows: one
MATCH (j:Job)
USING INDEX SEEK j:Job(updatedAt)
WHERE
  j.updatedAt < $before AND
  j.heartbeatAt IS NULL AND
  NOT EXISTS {
    MATCH (i:IngestionRecord {jobId: j.id})
    USING
    INDEX
    SEEK
    i:
    IngestionRecord
    (
    jobId,
    stage)
    WHERE i.stage IS NOT NULL
  }
WITH j
LIMIT $limit
DETACH DELETE j
RETURN count(*) AS removed