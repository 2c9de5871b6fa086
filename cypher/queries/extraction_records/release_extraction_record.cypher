// Give back the right to ask about a text: the record is as if it had never been
// params: $tenant STRING, $id STRING, $owner STRING
// mode: write
// returns: nothing
MATCH (r:ExtractionRecord {id: $id})
USING INDEX SEEK r:ExtractionRecord(id)
WHERE r.tenant = $tenant AND r.leaseOwner = $owner AND r.output IS NULL
DETACH DELETE r