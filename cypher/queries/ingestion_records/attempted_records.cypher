// Attempts so far of the ingestion records that may be worked on
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// returns: id STRING, attempt INTEGER
// rows: many
UNWIND $ids AS id
MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE i.tenant = $tenant AND i.stage <> 'quarantined'
RETURN i.id AS id, i.attempt AS attempt