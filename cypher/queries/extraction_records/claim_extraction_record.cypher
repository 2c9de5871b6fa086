// Take the right to ask a model about a text of documents that wait for it, unless it was asked or another process is asking
// params: $tenant STRING, $id STRING, $properties MAP, $owner STRING, $reader STRING, $leaseMs INTEGER
// mode: write
// returns: id STRING
// rows: optional
// note: ``reader`` is the owner of the documents' leases. No row if the record is complete or leased, if the tenant is paused or being removed,
//   or if ``reader`` holds no document with the text any more.
MATCH (t:Tenant {tenant: $tenant})
WHERE t.removing IS NULL AND t.extractionPaused IS NULL
MATCH (c:Chunk {tenant: $tenant, checksum: $properties.checksum})
USING INDEX SEEK c:Chunk(tenant, checksum)
MATCH (p:PendingExtraction {id: c.documentId})
USING INDEX SEEK p:PendingExtraction(id)
WHERE p.owner = $reader
WITH p
LIMIT 1
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