// Note points whose projection must be brought in step with the graph
// params: $tenant STRING, $id STRING, $kind STRING, $ids LIST<STRING>, $dueAt INTEGER
// mode: write
// returns: nothing
MERGE (o:Outbox {id: $id})
SET
  o.tenant = $tenant,
  o.kind = $kind,
  o.ids = $ids,
  o.dueAt = $dueAt,
  o.createdAt = timestamp()