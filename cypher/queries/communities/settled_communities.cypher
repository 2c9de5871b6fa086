// Whether a tenant's communities are those of its names: none is being refreshed, and nothing has changed since
// params: $tenant STRING
// mode: read
// returns: a row if they are
MATCH (r:Tenant {tenant: $tenant})
WHERE
  r.communitiesVersion = r.version AND
  NOT EXISTS {
    MATCH (l:Lease {tenant: $tenant, name: 'communities'})
    WHERE l.owner IS NOT NULL
  }
RETURN true AS settled