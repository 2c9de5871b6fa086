// The entities among some that an outbox entry names, or that wait to be embedded
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because invariants are checked on a tenant whole
// allows: NodeByLabelScan because there is one node a transaction whose entities are not embedded yet, and none at rest
// returns: id STRING
CALL () {
  MATCH (o:Outbox {tenant: $tenant})
  WHERE o.dueAt IS NOT NULL
  RETURN o.ids AS ids
    UNION ALL
  MATCH (p:PendingEmbedding {tenant: $tenant})
  RETURN p.ids AS ids
}
UNWIND ids AS id
WITH DISTINCT id
WHERE id IN $ids
RETURN id