// Remove notes of entities that were embedded
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// allows: NodeByLabelScan because there is one node a transaction whose entities are not embedded yet, and none at rest
// returns: nothing
MATCH (p:PendingEmbedding {tenant: $tenant})
WHERE p.id IN $ids
DELETE p