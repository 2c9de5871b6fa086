// Notes about chunks to be linked that no one has worked on since some time
// params: $tenant STRING, $before INTEGER
// mode: read
// reader: operators because only writers and workers run it
// allows: NodeByLabelScan because there is one node a change that is being linked, and none at rest
// returns: id STRING
MATCH (p:PendingRelink {tenant: $tenant})
WHERE p.updatedAt < $before
RETURN p.id AS id
ORDER BY id