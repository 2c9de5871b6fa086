// Remove the ingestion records of claims that are still held
// params: $tenant STRING, $claims LIST<MAP>
// mode: write
// returns: id STRING
// rows: many
// note: The lock comes before the comparison: what is received again until the commit waits for it.
UNWIND $claims AS claim
MATCH (i:IngestionRecord {id: claim.id})
USING INDEX SEEK i:IngestionRecord(id)
SET i.lock = true
WITH i, claim
WHERE
  i.tenant = $tenant AND
  i.generation = claim.generation AND
  i.attempt = claim.attempt AND
  i.leaseOwner = claim.owner
WITH i, i.id AS id
DETACH DELETE i
RETURN id