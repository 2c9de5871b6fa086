// Drop an announcement of points whose nodes are there now, unless it has fallen due: then somebody may be removing them
// params: $tenant STRING, $id STRING, $now INTEGER
// mode: write
// returns: id if it was dropped
MATCH (o:Outbox {id: $id})
USING INDEX SEEK o:Outbox(id)
WHERE o.tenant = $tenant AND o.dueAt > $now
WITH o, o.id AS id
DELETE o
RETURN id