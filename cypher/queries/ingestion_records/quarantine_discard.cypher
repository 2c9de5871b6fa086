// Drop quarantined ledger entries with their uploads; older versions of the documents stay
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: id STRING
UNWIND $ids AS id
MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
SET i.lock = true
WITH i, id
WHERE i.tenant = $tenant AND i.stage = 'quarantined'
DETACH DELETE i
RETURN id
ORDER BY id