// Remove the outbox entry of points whose nodes are there now
// params: $tenant STRING, $id STRING
// mode: write
// returns: id STRING
// rows: optional
// note: No row if it has fallen due: then somebody may be removing its points.
MATCH (o:Outbox {id: $id})
USING INDEX SEEK o:Outbox(id)
WHERE o.tenant = $tenant AND o.dueAt > timestamp()
WITH o, o.id AS id
DELETE o
RETURN id