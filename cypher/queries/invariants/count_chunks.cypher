// How many chunks a tenant has, by its node and by counting
// params: $tenant STRING
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: stored INTEGER, found INTEGER
// rows: optional
MATCH (r:Tenant {tenant: $tenant})
RETURN
  coalesce(r.chunks, 0) AS stored,
  COUNT {
    MATCH (c:Chunk {tenant: $tenant})
  } AS found