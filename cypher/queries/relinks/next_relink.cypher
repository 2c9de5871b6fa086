// The oldest note of a tenant about chunks that are still to be linked again
// params: $tenant STRING
// mode: read
// reader: operators because only writers and workers run it
// allows: NodeByLabelScan because there is one node a change that is being linked, and none at rest
// returns: id STRING, keys LIST<STRING>, after (STRING, STRING)
// rows: optional
MATCH (p:PendingRelink {tenant: $tenant})
RETURN p.id AS id, p.keys AS keys, p.after AS after
ORDER BY p.version, id
LIMIT 1