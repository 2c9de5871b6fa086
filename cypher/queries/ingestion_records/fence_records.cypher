// Ingestion records that are still leased as claimed
// params: $tenant STRING, $claims LIST<MAP>
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// returns: id STRING
// rows: many
UNWIND $claims AS claim
MATCH (i:IngestionRecord {id: claim.id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE
  i.tenant = $tenant AND
  i.generation = claim.generation AND
  i.attempt = claim.attempt AND
  i.leaseOwner = claim.owner
RETURN i.id AS id