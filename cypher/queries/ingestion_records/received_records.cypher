// Which documents the ledger holds as a job received them
// params: $tenant STRING, $jobId STRING, $rows LIST<MAP>
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// returns: id STRING
// rows: many
UNWIND $rows AS row
MATCH (i:IngestionRecord {id: row.id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE
  i.tenant = $tenant AND
  i.jobId = $jobId AND
  i.operation = row.operation AND
  i.checksum = row.checksum
RETURN i.id AS id