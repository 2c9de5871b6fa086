// Enter points whose projection must be brought in step with the graph, from some milliseconds on
// params: $tenant STRING, $id STRING, $kind STRING, $ids LIST<STRING>, $dueMs INTEGER
// mode: write
// returns: nothing
MERGE (o:Outbox {id: $id})
SET
  o.tenant = $tenant,
  o.kind = $kind,
  o.ids = $ids,
  o.dueAt = timestamp() + $dueMs,
  o.createdAt = timestamp()