// A job with its ledger entries by stage and its failures
// params: $tenant STRING, $id STRING
// mode: read
// returns: job (properties), stages (stage, count), failures
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
CALL (j) {
  MATCH (i:IngestionRecord {jobId: j.id})
  USING INDEX SEEK i:IngestionRecord(jobId, stage)
  WHERE i.stage IS NOT NULL
  WITH i.stage AS stage, count(*) AS count
  RETURN collect({stage: stage, count: count}) AS stages
}
CALL (j) {
  MATCH (i:IngestionRecord {jobId: j.id, stage: 'quarantined'})
  USING INDEX SEEK i:IngestionRecord(jobId, stage)
  WITH i
  ORDER BY i.sourceUri
  LIMIT 1000
  RETURN
    collect({
      id: i.id,
      source_uri: i.sourceUri,
      stage: i.failedStage,
      reason: i.reason,
      message: i.error
    }) AS failures
}
RETURN properties(j) AS job, stages, failures