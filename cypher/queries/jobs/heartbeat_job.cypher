// Note that a job is still receiving
// params: $tenant STRING, $id STRING
// mode: write
// returns: nothing
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
SET j.heardAt = timestamp()