// Begin the job of an idempotency key, or find it begun with the digest of its documents
// params: $tenant STRING, $id STRING, $kind STRING, $owner STRING?, $digest STRING
// mode: write
// returns: digest STRING?
// rows: one
// note: ``followers`` are the keys, other than the owner, with which the same documents were sent again.
MERGE (j:Job {id: $id})
  ON CREATE SET
    j.tenant = $tenant,
    j.kind = $kind,
    j.owner = $owner,
    j.digest = $digest,
    j.createdAt = timestamp(),
    j.updatedAt = timestamp(),
    j.heartbeatAt = timestamp()
FOREACH (key IN [
  key IN [$owner]
  WHERE
    j.digest = $digest AND
    key <> coalesce(j.owner, '') AND
    NOT key IN coalesce(j.followers, [])
] |
  SET j.followers = coalesce(j.followers, []) + key
)
RETURN j.digest AS digest