// Outbox entries that should have been applied long ago
// params: $tenant STRING, $before INTEGER
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING
MATCH (o:Outbox {tenant: $tenant})
WHERE o.dueAt < $before AND o.createdAt < $before
RETURN o.id AS id
ORDER BY id