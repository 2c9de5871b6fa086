// Move a note about chunks that are still to be linked again from one place to a later one
// params: $tenant STRING, $id STRING, $after LIST<STRING>, $reached LIST<STRING>
// mode: write
// allows: NodeByLabelScan because there is one node a change that is being linked, and none at rest
// returns: id STRING
// rows: optional
// note: No row if the note is gone or at another place.
MATCH (p:PendingRelink {tenant: $tenant})
WHERE p.id = $id AND p.after = $after
SET p.after = $reached, p.updatedAt = timestamp()
RETURN p.id AS id