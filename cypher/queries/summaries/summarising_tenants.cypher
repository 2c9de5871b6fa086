// Tenants whose communities changed since a language model described them, and whose time has come
// params: $key STRING, $limit INTEGER
// mode: read
// reader: operators because only workers run it
// allows: AnyTenant because the sweeper serves all tenants
// returns: tenant STRING
// rows: many
MATCH (r:Tenant)
WHERE
  r.communitiesVersion >= 0 AND
  (coalesce(r.summariesVersion, -1) <> r.communitiesVersion OR
    coalesce(r.summariesKey, '') <> $key) AND
  coalesce(r.summariesDueAt, 0) <= timestamp() AND
  NOT coalesce(r.extractionPaused, false)
RETURN r.tenant AS tenant
ORDER BY tenant
LIMIT $limit