// Begin the job of an idempotency key, or find it begun with the digest of what it was begun for
// params: $tenant STRING, $id STRING, $kind STRING, $digest STRING
// mode: write
// returns: digest
MERGE (j:Job {id: $id})
  ON CREATE SET
    j.tenant = $tenant,
    j.kind = $kind,
    j.digest = $digest,
    j.createdAt = timestamp(),
    j.updatedAt = timestamp()
RETURN j.digest AS digest