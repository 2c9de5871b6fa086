// Outbox entries that are due, oldest first; those that were tried in vain, as if entered then
// params: $tenant STRING?, $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, tenant STRING, kind STRING, ids LIST<STRING>
// rows: many
MATCH (o:Outbox)
WHERE o.dueAt <= timestamp() AND ($tenant IS NULL OR o.tenant = $tenant)
RETURN o.id AS id, o.tenant AS tenant, o.kind AS kind, o.ids AS ids
ORDER BY coalesce(o.triedAt, o.createdAt), o.id
LIMIT $limit