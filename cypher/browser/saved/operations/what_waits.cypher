// What waits for workers, and what failed
// params: $tenant STRING
// mode: read
// returns: what, count (one row a kind of work)
CALL () {
  MATCH (i:IngestionRecord {tenant: $tenant})
  WHERE i.stage <> 'quarantined'
  RETURN 'documents on their way' AS what, count(i) AS count
    UNION ALL
  MATCH (i:IngestionRecord {tenant: $tenant, stage: 'quarantined'})
  RETURN 'documents in quarantine' AS what, count(i) AS count
    UNION ALL
  MATCH (o:Outbox {tenant: $tenant})
  WHERE o.dueAt IS NOT NULL
  RETURN 'entries of the outbox to the vector index' AS what, count(o) AS count
    UNION ALL
  MATCH (p:PendingExtraction {tenant: $tenant})
  RETURN 'documents that wait for a language model' AS what, count(p) AS count
}
RETURN what, count