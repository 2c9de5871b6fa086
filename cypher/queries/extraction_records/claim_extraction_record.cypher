// Take the right to ask a model about a text, unless it was asked or another process is asking
// params: $tenant STRING, $id STRING, $properties MAP, $owner STRING, $leaseMs INTEGER
// mode: write
// returns: id STRING
// rows: optional
// note: No row if the record is complete or leased.
MERGE (r:ExtractionRecord {id: $id})
  ON CREATE SET r += $properties, r.tenant = $tenant
SET r.lock = true
WITH
  r,
  r.tenant = $tenant AND
  r.output IS NULL AND
  (coalesce(r.leaseUntil, 0) < timestamp() OR r.leaseOwner = $owner) AS free
SET r.lock = null
WITH r, free
WHERE free
SET r.leaseOwner = $owner, r.leaseUntil = timestamp() + $leaseMs
RETURN r.id AS id