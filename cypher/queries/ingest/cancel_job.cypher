// Drop a job's ledger entries that nobody holds
// params: $tenant STRING, $id STRING
// mode: write
// returns: nothing
MATCH (j:Job {id: $id})
WHERE j.tenant = $tenant
SET j.cancelled = true, j.updatedAt = timestamp()
WITH j
MATCH (i:Intake {jobId: j.id})
WHERE coalesce(i.leaseUntil, 0) < timestamp()
DETACH DELETE i