// Whether a tenant keeps documents apart by groups of readers
// params: $tenant STRING
// mode: read
// reader: anyone because it tells of no document
// returns: apart BOOLEAN, restoring BOOLEAN
// rows: optional
// note: What a backup that is being restored will say is not known yet.
MATCH (r:Tenant {tenant: $tenant})
RETURN
  r.apartSince IS NOT NULL AS apart,
  coalesce(r.restoring, false) AS restoring