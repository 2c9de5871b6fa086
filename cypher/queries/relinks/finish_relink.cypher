// Remove a note whose chunks are all linked again; the jobs that wait for it end now
// params: $tenant STRING, $id STRING
// mode: write
// allows: NodeByLabelScan because there is one node a change that is being linked, and none at rest
// returns: nothing
MATCH (p:PendingRelink {tenant: $tenant})
WHERE p.id = $id
WITH p, p.jobs AS jobs
DELETE p
WITH jobs
UNWIND jobs AS job
MATCH (j:Job {id: job})
USING INDEX SEEK j:Job(id)
SET j.updatedAt = timestamp()