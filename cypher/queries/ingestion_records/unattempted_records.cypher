// Attempts so far of those ledger entries that may be worked on
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, attempt
UNWIND $ids AS id
MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE i.tenant = $tenant AND i.stage <> 'quarantined'
RETURN i.id AS id, i.attempt AS attempt