// Renew the heartbeat of a job that is still open
// params: $tenant STRING, $id STRING
// mode: write
// returns: nothing
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant AND j.heartbeatAt IS NOT NULL
SET j.heartbeatAt = timestamp()