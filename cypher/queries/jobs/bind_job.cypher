// Begin the job of an idempotency key, or find it begun with the digest of its documents
// params: $tenant STRING, $id STRING, $kind STRING, $owner STRING?, $digest STRING
// mode: write
// returns: digest STRING?
// rows: one
MERGE (j:Job {id: $id})
  ON CREATE SET
    j.tenant = $tenant,
    j.kind = $kind,
    j.owner = $owner,
    j.digest = $digest,
    j.createdAt = timestamp(),
    j.updatedAt = timestamp(),
    j.heartbeatAt = timestamp()
RETURN j.digest AS digest