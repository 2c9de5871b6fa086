// Whether a tenant's communities are up to date: none is being refreshed, and nothing has changed since
// params: $tenant STRING
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: settled BOOLEAN
// rows: optional
MATCH (r:Tenant {tenant: $tenant})
WHERE
  r.communitiesVersion = r.version AND
  NOT EXISTS {
    MATCH (l:Lease {tenant: $tenant, name: 'communities'})
    WHERE l.owner IS NOT NULL
  }
RETURN true AS settled