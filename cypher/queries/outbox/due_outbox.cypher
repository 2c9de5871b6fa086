// Outbox entries that are due, oldest first
// params: $tenant STRING, $now INTEGER, $limit INTEGER
// mode: read
// returns: id, tenant, kind, ids
MATCH (o:Outbox)
WHERE o.dueAt <= $now AND ($tenant IS NULL OR o.tenant = $tenant)
RETURN o.id AS id, o.tenant AS tenant, o.kind AS kind, o.ids AS ids
ORDER BY o.createdAt, o.id
LIMIT $limit