// How often a lease has changed its owner, and whether one has it
// params: $tenant STRING, $name STRING
// mode: read
// reader: anyone because it tells of no document
// returns: token INTEGER, held BOOLEAN
// rows: optional
MATCH (l:Lease {tenant: $tenant, name: $name})
RETURN
  coalesce(l.token, 0) AS token,
  l.owner IS NOT NULL AND l.expiresAt >= timestamp() AS held