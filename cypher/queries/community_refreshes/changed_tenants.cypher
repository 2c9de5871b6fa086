// Tenants whose entities or settings changed since their communities were made
// params: $settings STRING, $before INTEGER?
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: tenant STRING
// note: with ``before``, milliseconds since 1970, only tenants whose communities are older.
// allows: AnyTenant because the schedule looks after all of them
MATCH (r:Tenant)
WHERE
  ($before IS NULL OR r.communitiesAt < $before) AND
  (r.version <> coalesce(r.communitiesVersion, 0) OR
    (r.communitiesVersion IS NOT NULL AND r.communitiesSettings <> $settings))
RETURN r.tenant AS tenant
ORDER BY tenant