// Note that a job has received all its documents
// params: $tenant STRING, $id STRING, $total INTEGER, $unchanged INTEGER, $unreadable LIST<STRING>
// mode: write
// returns: nothing
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
SET
  j.sealed = true,
  j.total = $total,
  j.unchanged = $unchanged,
  j.unreadable = $unreadable,
  j.updatedAt = timestamp()