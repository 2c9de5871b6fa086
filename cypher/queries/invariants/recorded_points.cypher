// Those of some points that an outbox entry names, due or not
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id
MATCH (o:Outbox {tenant: $tenant})
UNWIND o.ids AS id
WITH DISTINCT id
WHERE id IN $ids
RETURN id