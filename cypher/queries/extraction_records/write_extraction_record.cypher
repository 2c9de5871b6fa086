// Complete an extraction record that this owner has claimed
// params: $tenant STRING, $id STRING, $owner STRING, $properties MAP
// mode: write
// returns: id STRING
// rows: optional
// note: No row if its text is gone, or another process took it over.
MATCH (r:ExtractionRecord {id: $id})
USING INDEX SEEK r:ExtractionRecord(id)
WHERE r.tenant = $tenant AND r.leaseOwner = $owner AND r.output IS NULL
SET r += $properties, r.leaseOwner = null, r.leaseUntil = null
RETURN r.id AS id