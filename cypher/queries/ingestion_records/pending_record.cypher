// An ingestion record that is not done, if the tenant has one
// params: $tenant STRING
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// returns: id STRING
// rows: optional
MATCH (i:IngestionRecord)
USING INDEX i:IngestionRecord(tenant, stage)
WHERE
  i.tenant = $tenant AND
  i.stage IN ['received', 'parsed', 'extracted', 'projected']
RETURN i.id AS id
LIMIT 1