// Begin a job that receives documents, or find it begun
// params: $tenant STRING, $id STRING, $kind STRING
// mode: write
// returns: nothing
MERGE (j:Job {id: $id})
  ON CREATE SET
    j.tenant = $tenant,
    j.kind = $kind,
    j.createdAt = timestamp(),
    j.updatedAt = timestamp(),
    j.heartbeatAt = timestamp()