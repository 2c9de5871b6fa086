// The points among some that an outbox entry names, due or not
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: id STRING
MATCH (o:Outbox {tenant: $tenant})
WHERE o.dueAt IS NOT NULL
UNWIND o.ids AS id
WITH DISTINCT id
WHERE id IN $ids
RETURN id