// Whether a tenant restricts documents to groups of readers
// params: $tenant STRING
// mode: read
// reader: anyone because it tells of no document
// returns: restricted BOOLEAN, restoring BOOLEAN
// rows: optional
// note: What a backup that is being restored will say is not known yet.
MATCH (r:Tenant {tenant: $tenant})
RETURN
  r.apartSince IS NOT NULL AS restricted,
  coalesce(r.restoring, false) AS restoring