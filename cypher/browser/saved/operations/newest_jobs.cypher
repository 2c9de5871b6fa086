// The newest jobs and what they did
// params: $tenant STRING
// mode: read
// returns: job, kind, at, ready, deleted, failed, chunks
MATCH (j:Job {tenant: $tenant})
WHERE j.createdAt IS NOT NULL
RETURN
  j.id AS job,
  j.kind AS kind,
  toString(datetime({epochMillis: j.createdAt})) AS at,
  coalesce(j.ready, 0) AS ready,
  coalesce(j.deleted, 0) AS deleted,
  coalesce(j.failed, 0) AS failed,
  coalesce(j.chunks, 0) AS chunks
ORDER BY j.createdAt DESC
LIMIT 50