// Close a job: all its documents were received
// params: $tenant STRING, $id STRING, $total INTEGER, $unchanged INTEGER, $unreadable LIST<STRING>
// mode: write
// returns: nothing
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
SET
  j.heartbeatAt = null,
  j.total = $total,
  j.unchanged = $unchanged,
  j.unreadable = $unreadable,
  j.updatedAt = timestamp()