// Give a leased ingestion record back, or quarantine it with its reason
// params: $tenant STRING, $claim MAP, $stage STRING, $reason STRING, $message STRING, $retryMs INTEGER?
// mode: write
// returns: nothing
MATCH (i:IngestionRecord {id: $claim.id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE
  i.tenant = $tenant AND
  i.generation = $claim.generation AND
  i.attempt = $claim.attempt AND
  i.leaseOwner = $claim.owner
SET
  i.failedStage = i.stage,
  i.stage = $stage,
  i.reason = $reason,
  i.error = $message,
  i.retryAt = timestamp() + $retryMs,
  i.leaseUntil = null,
  i.leaseOwner = null
WITH i
WHERE $stage = 'quarantined'
MATCH (j:Job {id: i.jobId})
USING INDEX SEEK j:Job(id)
SET j.failed = coalesce(j.failed, 0) + 1, j.updatedAt = timestamp()