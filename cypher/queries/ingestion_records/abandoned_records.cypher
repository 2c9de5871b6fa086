// Ledger entries that nobody holds
// params: $now INTEGER, $limit INTEGER
// mode: read
// allows: AnyTenant NodeByLabelScan because the sweeper serves all tenants, and a record goes when its document is ready
// returns: id, tenant, attempt, size (compressed bytes)
MATCH (i:IngestionRecord)
WHERE
  i.stage <> 'quarantined' AND
  coalesce(i.leaseUntil, 0) < $now AND
  coalesce(i.retryAt, 0) <= $now
RETURN
  i.id AS id,
  i.tenant AS tenant,
  i.attempt AS attempt,
  coalesce(i.size, 0) AS size
ORDER BY i.receivedAt, i.id
LIMIT $limit