// Whether a tenant restricts documents to groups of readers
// params: $tenant STRING
// mode: read
// reader: anyone because it tells of no document
// returns: age INTEGER?, restoring BOOLEAN
// rows: optional
// note: ``age`` is for how long it has, in milliseconds; none if it does not. What a backup that is being restored will say is not known yet.
MATCH (r:Tenant {tenant: $tenant})
RETURN
  timestamp() - r.apartSince AS age,
  coalesce(r.restoring, false) AS restoring