// Tenants whose names or settings changed since their communities were made
// params: $settings STRING, $before INTEGER (milliseconds since 1970; null for all)
// mode: read
// returns: tenant, of those only whose communities are older than a time, if one is given; who has none yet has none that are old
// allows: AnyTenant because the schedule looks after all of them
MATCH (r:Tenant)
WHERE
  ($before IS NULL OR r.communitiesAt < $before) AND
  (r.version <> coalesce(r.communitiesVersion, 0) OR
    (r.communitiesVersion IS NOT NULL AND r.communitiesSettings <> $settings))
RETURN r.tenant AS tenant
ORDER BY tenant