// Record what a tenant's communities were made of
// params: $tenant STRING, $version INTEGER, $settings STRING, $graph STRING?, $modularity FLOAT?
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET
  r.communitiesVersion = $version,
  r.communitiesSettings = $settings,
  r.communitiesGraph = coalesce($graph, r.communitiesGraph),
  r.communitiesModularity = coalesce($modularity, r.communitiesModularity),
  r.communitiesAt = timestamp()