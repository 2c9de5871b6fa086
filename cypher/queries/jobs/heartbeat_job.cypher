// Renew the heartbeat of a job that receives documents
// params: $tenant STRING, $id STRING
// mode: write
// returns: cancelled BOOLEAN
// rows: optional
// note: A closed job, whose documents are sent again, stays closed; either is locked, so that it is not cancelled or removed until the commit.
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
SET
  j.updatedAt = timestamp(),
  j.heartbeatAt =
    CASE
      WHEN j.heartbeatAt IS NOT NULL THEN timestamp()
    END
RETURN coalesce(j.cancelled, false) AS cancelled