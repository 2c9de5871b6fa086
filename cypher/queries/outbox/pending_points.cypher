// Which of some points batches under way are about to write
// params: $tenant STRING, $kind STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING
// rows: many
MATCH (o:Outbox {tenant: $tenant})
WHERE o.kind = $kind AND o.dueAt > timestamp()
UNWIND o.ids AS id
WITH DISTINCT id
WHERE id IN $ids
RETURN id