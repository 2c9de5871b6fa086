// Take ledger entries that nobody holds and count the attempt
// params: $tenant STRING, $ids LIST<STRING>, $owner STRING, $now INTEGER, $until INTEGER
// mode: write
// returns: the entries with their uploads
UNWIND $ids AS id
MATCH (i:Intake {id: id})
SET i.lock = true
WITH i
WHERE
  i.tenant = $tenant AND
  i.stage <> 'quarantined' AND
  coalesce(i.leaseUntil, 0) < $now AND
  coalesce(i.retryAt, 0) <= $now
SET i.leaseOwner = $owner, i.leaseUntil = $until, i.attempt = i.attempt + 1
RETURN
  i.id AS id,
  i.generation AS generation,
  i.attempt AS attempt,
  i.stage AS stage,
  i.jobId AS jobId,
  i.operation AS operation,
  i.sourceUri AS sourceUri,
  i.mediaType AS mediaType,
  i.checksum AS checksum,
  i.content AS content,
  i.metadata AS metadata