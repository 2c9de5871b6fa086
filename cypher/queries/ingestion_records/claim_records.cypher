// Lease ingestion records that no worker has, and count the attempt
// params: $tenant STRING, $ids LIST<STRING>, $owner STRING, $leaseMs INTEGER
// mode: write
// returns: id STRING, generation INTEGER, attempt INTEGER, stage STRING, jobId STRING, operation STRING, sourceUri STRING, mediaType STRING, checksum STRING, content BYTES?, metadata STRING
// rows: many
// note: An owner that asks again gets the same attempts. No row while the tenant is being restored.
UNWIND $ids AS id
MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
SET i.lock = true
WITH i, coalesce(i.leaseOwner = $owner, false) AS ours
WHERE
  i.tenant = $tenant AND
  i.stage <> 'quarantined' AND
  coalesce(i.retryAt, 0) <= timestamp() AND
  (ours OR coalesce(i.leaseUntil, 0) < timestamp()) AND
  NOT EXISTS {
    MATCH (r:Tenant {tenant: $tenant})
    WHERE r.restoring
  }
SET
  i.attempt = i.attempt +
    CASE
      WHEN ours THEN 0
      ELSE 1
    END,
  i.leaseOwner = $owner,
  i.leaseUntil = timestamp() + $leaseMs
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