// Extraction records that are complete
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, output STRING
// rows: many
// note: ``output`` is JSON.
UNWIND $ids AS id
MATCH (r:ExtractionRecord {id: id})
USING INDEX SEEK r:ExtractionRecord(id)
WHERE r.tenant = $tenant AND r.output IS NOT NULL
RETURN r.id AS id, r.output AS output