// Ids of quarantined ledger entries: some, or those of a source prefix
// params: $tenant STRING, $ids LIST<STRING>, $prefix STRING
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// returns: id STRING
MATCH (i:IngestionRecord {tenant: $tenant, stage: 'quarantined'})
WHERE (size($ids) = 0 OR i.id IN $ids) AND i.sourceUri STARTS WITH $prefix
RETURN i.id AS id
ORDER BY id