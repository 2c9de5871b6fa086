// Whether a tenant's entities and communities may be described now
// params: $tenant STRING
// mode: read
// reader: operators because only workers run it
// returns: version INTEGER, due BOOLEAN
// rows: optional
// note: ``version`` is that of its communities.
MATCH (r:Tenant {tenant: $tenant})
WHERE r.communitiesVersion >= 0
RETURN
  r.communitiesVersion AS version,
  coalesce(r.summariesDueAt, 0) <= timestamp() AND
  NOT coalesce(r.extractionPaused, false) AS due