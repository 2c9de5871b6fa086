// The newest jobs
// params: $tenant STRING, $limit INTEGER
// mode: read
// returns: job (properties), stages (stage, count), failures (none)
MATCH (j:Job {tenant: $tenant})
WITH j
ORDER BY j.createdAt DESC
LIMIT $limit
RETURN
  properties(j) AS job,
  COLLECT {
    MATCH (i:Intake {jobId: j.id})
    WITH i.stage AS stage, count(*) AS count
    RETURN {stage: stage, count: count}
  } AS stages,
  [] AS failures