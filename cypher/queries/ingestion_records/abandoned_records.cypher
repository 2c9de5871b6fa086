// Ingestion records that no worker has a lease on
// params: $limit INTEGER
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// allows: AnyTenant NodeByLabelScan because the sweeper serves all tenants, and a record goes when its document is ready
// returns: id STRING, tenant STRING, attempt INTEGER, size INTEGER
// rows: many
// note: ``size`` is that of the compressed upload in bytes.
WITH
  COLLECT {
    MATCH (r:Tenant)
    WHERE r.restoring
    RETURN r.tenant
  } AS restoring
MATCH (i:IngestionRecord)
WHERE
  NOT i.tenant IN restoring AND
  i.stage <> 'quarantined' AND
  coalesce(i.leaseUntil, 0) < timestamp() AND
  coalesce(i.retryAt, 0) <= timestamp()
RETURN
  i.id AS id,
  i.tenant AS tenant,
  i.attempt AS attempt,
  coalesce(i.size, 0) AS size
ORDER BY i.receivedAt, i.id
LIMIT $limit