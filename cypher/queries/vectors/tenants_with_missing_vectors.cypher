// Tenants with chunks that lack vectors of one of these models, unless somebody is at it or was asked lately
// params: $models LIST<STRING>, $seconds INTEGER
// mode: write
// allows: AnyTenant because the sweeper serves all tenants
// returns: tenant STRING
// rows: many
// note: No one is asked again within these seconds.
MATCH (r:Tenant)
WHERE
  r.chunks > 0 AND
  coalesce(r.vectorsAskedUntil, 0) < timestamp() AND
  any(model IN $models WHERE NOT model IN coalesce(r.vectorModels, [])) AND
  NOT EXISTS {
    MATCH (l:Lease {tenant: r.tenant, name: 'vectors'})
    WHERE l.expiresAt >= timestamp()
  }
SET r.vectorsAskedUntil = timestamp() + 1000 * $seconds
RETURN r.tenant AS tenant
ORDER BY tenant