// Tenants whose names or settings changed since their communities were made
// params: $settings STRING
// mode: read
// returns: tenant
// allows: AnyTenant because the schedule looks after all of them
MATCH (r:Registry)
WHERE
  r.version <> coalesce(r.communitiesVersion, 0) OR
  (r.communitiesVersion IS NOT NULL AND r.communitiesSettings <> $settings)
RETURN r.tenant AS tenant
ORDER BY tenant