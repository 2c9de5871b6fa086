// Move leased ingestion records on to a stage and extend their leases
// params: $tenant STRING, $claims LIST<MAP>, $stage STRING, $leaseMs INTEGER
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
SET i.stage = $stage, i.leaseUntil = timestamp() + $leaseMs