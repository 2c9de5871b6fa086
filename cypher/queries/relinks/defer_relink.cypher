// Note that chunks after a place are still to be linked again; older notes about the same names become part of this one
// params: $tenant STRING, $id STRING, $version INTEGER, $keys LIST<STRING>, $after LIST<STRING>, $jobs LIST<STRING>
// mode: write
// allows: NodeByLabelScan because there is one node a change that is being linked, and none at rest
// returns: nothing
// note: The place is the ids of a document and of a chunk, in the order in which chunks are linked.
OPTIONAL MATCH (old:PendingRelink {tenant: $tenant})
WHERE old.id <> $id AND all(key IN old.keys WHERE key IN $keys)
WITH collect(old) AS covered
WITH covered, reduce(jobs = $jobs, old IN covered | jobs + old.jobs) AS jobs
FOREACH (old IN covered |
  DELETE old
)
MERGE (p:PendingRelink {id: $id})
SET
  p.tenant = $tenant,
  p.version = $version,
  p.keys = $keys,
  p.after = $after,
  p.jobs = jobs,
  p.updatedAt = timestamp()