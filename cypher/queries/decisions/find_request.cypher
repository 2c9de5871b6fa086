// The decision that a request has recorded, also one that was undone since
// params: $tenant STRING, $requestKey STRING
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, digest STRING?
// rows: optional
CALL () {
  MATCH (d:Decision {tenant: $tenant})
  WHERE d.requestKey = $requestKey
  RETURN d.id AS id, d.requestDigest AS digest
    UNION
  MATCH (d:UndoneDecision {tenant: $tenant})
  WHERE d.requestKey = $requestKey
  RETURN d.decision AS id, d.requestDigest AS digest
}
RETURN id, digest
LIMIT 1