// A job with its ledger entries by stage and its failures
// params: $tenant STRING, $id STRING
// mode: read
// returns: job (properties), stages (stage, count), failures
MATCH (j:Job {id: $id})
WHERE j.tenant = $tenant
RETURN
  properties(j) AS job,
  COLLECT {
    MATCH (i:Intake {jobId: j.id})
    WITH i.stage AS stage, count(*) AS count
    RETURN {stage: stage, count: count}
  } AS stages,
  COLLECT {
    MATCH (i:Intake {jobId: j.id})
    WHERE i.stage = 'quarantined'
    RETURN {
      id: i.id,
      source_uri: i.sourceUri,
      stage: i.failedStage,
      reason: i.reason,
      message: i.error
    }
    ORDER
    BY
    i.sourceUri
    LIMIT
    1000
  } AS failures