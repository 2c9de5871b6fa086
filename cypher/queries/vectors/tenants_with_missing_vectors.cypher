// Tenants with chunks that lack vectors of one of these models, unless somebody is at it or was asked lately
// params: $models LIST<STRING>, $now INTEGER, $until INTEGER
// mode: write
// allows: AnyTenant because the sweeper serves all tenants
// returns: tenant
MATCH (r:Tenant)
WHERE
  r.chunks > 0 AND
  coalesce(r.vectorUntil, 0) < $now AND
  coalesce(r.vectorAskedUntil, 0) < $now AND
  any(model IN $models WHERE NOT model IN coalesce(r.vectorModels, []))
SET r.vectorAskedUntil = $until
RETURN r.tenant AS tenant
ORDER BY tenant