// Take ledger entries that nobody holds and count the attempt; once for an owner, however often it asks
// params: $tenant STRING, $ids LIST<STRING>, $owner STRING, $now INTEGER, $until INTEGER
// mode: write
// returns: the entries with their uploads
UNWIND $ids AS id
MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
SET i.lock = true
WITH i, coalesce(i.leaseOwner = $owner, false) AS ours
WHERE
  i.tenant = $tenant AND
  i.stage <> 'quarantined' AND
  coalesce(i.retryAt, 0) <= $now AND
  (ours OR coalesce(i.leaseUntil, 0) < $now)
SET
  i.attempt = i.attempt +
    CASE
      WHEN ours THEN 0
      ELSE 1
    END,
  i.leaseOwner = $owner,
  i.leaseUntil = $until
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