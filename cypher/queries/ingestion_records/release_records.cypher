// Give leased ingestion records back as if they had never been taken
// params: $tenant STRING, $claims LIST<MAP>, $message STRING, $retryMs INTEGER
// mode: write
// returns: nothing
UNWIND $claims AS claim
MATCH (i:IngestionRecord {id: claim.id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE
  i.tenant = $tenant AND
  i.generation = claim.generation AND
  i.attempt = claim.attempt AND
  i.leaseOwner = claim.owner
SET
  i.failedStage = i.stage,
  i.stage = 'received',
  i.attempt = i.attempt - 1,
  i.reason = 'outage',
  i.error = $message,
  i.retryAt = timestamp() + $retryMs,
  i.leaseUntil = null,
  i.leaseOwner = null