// Whether a tenant's communities are those of its names: none is being refreshed, and nothing has changed since
// params: $tenant STRING
// mode: read
// returns: a row if they are
MATCH (r:Tenant {tenant: $tenant})
WHERE r.communitiesOwner IS NULL AND r.communitiesVersion = r.version
RETURN true AS settled