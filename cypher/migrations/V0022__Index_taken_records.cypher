// Ingestion records that a worker has had, without a look at those that wait for their first one
CREATE INDEX ingestion_record_lease_until IF NOT EXISTS
FOR (ingestionRecord:IngestionRecord)
ON (ingestionRecord.leaseUntil);

CREATE INDEX ingestion_record_retry_at IF NOT EXISTS
FOR (ingestionRecord:IngestionRecord)
ON (ingestionRecord.retryAt);