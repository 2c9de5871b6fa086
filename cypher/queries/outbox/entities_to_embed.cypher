// Notes of a tenant's entities whose texts wait to be embedded, oldest first
// params: $tenant STRING, $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// allows: NodeByLabelScan because there is one node a transaction whose entities are not embedded yet, and none at rest
// returns: id STRING, ids LIST<STRING>
MATCH (p:PendingEmbedding {tenant: $tenant})
RETURN p.id AS id, p.ids AS ids
ORDER BY p.createdAt, id
LIMIT $limit