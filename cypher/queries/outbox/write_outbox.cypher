// Enter points whose projection must be brought in step with the graph, from some milliseconds on
// params: $tenant STRING, $id STRING, $kind STRING, $ids LIST<STRING>, $jobs LIST<STRING>, $dueMs INTEGER
// mode: write
// returns: nothing
// note: ``jobs``: those that are not done before the entry is dispatched.
MERGE (o:Outbox {id: $id})
SET
  o.tenant = $tenant,
  o.kind = $kind,
  o.ids = $ids,
  o.jobs = $jobs,
  o.dueAt = timestamp() + $dueMs,
  o.createdAt = timestamp()