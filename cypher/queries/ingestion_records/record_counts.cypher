// Ingestion records by stage, and since when the oldest of each waits
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// allows: AnyTenant NodeByLabelScan because operators count the whole ledger, and a record goes when its document is ready
// returns: stage STRING, records INTEGER, oldestMs INTEGER
// rows: many
// note: ``oldestMs`` is in milliseconds, by the database's clock.
MATCH (i:IngestionRecord)
RETURN
  i.stage AS stage,
  count(*) AS records,
  timestamp() - min(i.receivedAt) AS oldestMs
ORDER BY stage