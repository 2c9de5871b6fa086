// Those of some points that batches under way have announced
// params: $tenant STRING, $kind STRING, $ids LIST<STRING>, $now INTEGER
// mode: read
// returns: id
MATCH (o:Outbox {tenant: $tenant})
WHERE o.kind = $kind AND o.dueAt > $now
UNWIND o.ids AS id
WITH DISTINCT id
WHERE id IN $ids
RETURN id