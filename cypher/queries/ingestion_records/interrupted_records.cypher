// Ingestion records that a worker has had and that are due again: its lease has ended, or the time to wait after a failure has
// params: $limit INTEGER
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// allows: AnyTenant because the sweeper serves all tenants
// returns: id STRING, tenant STRING, attempt INTEGER, size INTEGER
// rows: many
// note: Its indexes hold no record that was never taken: an import has many of those.
WITH
  COLLECT {
    MATCH (r:Tenant)
    WHERE r.restoring
    RETURN r.tenant
  } AS restoring
MATCH (i:IngestionRecord)
USING INDEX i:IngestionRecord(leaseUntil)
USING INDEX i:IngestionRecord(retryAt)
WHERE
  (i.leaseUntil < timestamp() OR i.retryAt <= timestamp()) AND
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