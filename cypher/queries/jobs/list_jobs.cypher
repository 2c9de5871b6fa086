// The newest jobs
// params: $tenant STRING, $limit INTEGER
// mode: read
// returns: job (properties), stages (stage, count), failures (none)
MATCH (j:Job {tenant: $tenant})
WITH j
ORDER BY j.createdAt DESC
LIMIT $limit
CALL (j) {
  MATCH (i:IngestionRecord {jobId: j.id})
  USING INDEX SEEK i:IngestionRecord(jobId, stage)
  WHERE i.stage IS NOT NULL
  WITH i.stage AS stage, count(*) AS count
  RETURN collect({stage: stage, count: count}) AS stages
}
RETURN properties(j) AS job, stages, [] AS failures
ORDER BY j.createdAt DESC