// Extend the leases of ingestion records that are still held
// params: $tenant STRING, $claims LIST<MAP>, $leaseMs INTEGER
// mode: write
// returns: nothing
UNWIND $claims AS claim
MATCH (i:IngestionRecord {id: claim.id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE
  i.tenant = $tenant AND
  i.generation = claim.generation AND
  i.attempt = claim.attempt AND
  i.leaseOwner = claim.owner
SET i.leaseUntil = timestamp() + $leaseMs