// Documents that could not be taken in, and why
// params: $tenant STRING
// mode: read
// returns: source, stage, reason, error, attempts
MATCH (i:IngestionRecord {tenant: $tenant, stage: 'quarantined'})
RETURN
  i.sourceUri AS source,
  i.failedStage AS stage,
  i.reason AS reason,
  i.error AS error,
  i.attempt AS attempts
ORDER BY source
LIMIT 200