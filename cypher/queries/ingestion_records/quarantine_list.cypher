// Ids of quarantined ledger entries: some, or all
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// returns: id STRING
MATCH (i:IngestionRecord {tenant: $tenant, stage: 'quarantined'})
WHERE size($ids) = 0 OR i.id IN $ids
RETURN i.id AS id
ORDER BY id