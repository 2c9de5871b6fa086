// Lease documents that wait for a model and are due
// params: $tenant STRING, $owner STRING, $leaseMs INTEGER, $limit INTEGER
// mode: write
// returns: id STRING, jobId STRING, attempt INTEGER
// rows: many
// note: None while the tenant is paused or being restored. A lease is a time before which a document is not due again.
MATCH (p:PendingExtraction {tenant: $tenant})
WHERE
  p.dueAt <= timestamp() AND
  NOT EXISTS {
    MATCH (t:Tenant {tenant: $tenant})
    WHERE t.extractionPaused OR t.restoring
  }
WITH p
ORDER BY p.dueAt, p.id
LIMIT $limit
SET p.lock = true
WITH p
WHERE p.dueAt <= timestamp()
SET p.owner = $owner, p.dueAt = timestamp() + $leaseMs
RETURN p.id AS id, p.jobId AS jobId, coalesce(p.attempt, 0) AS attempt
ORDER BY id