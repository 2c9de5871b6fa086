// Give the turn back; a run that finished notes what its communities were made of
// params: $tenant STRING, $owner STRING, $version INTEGER, $settings STRING, $graph STRING, $modularity FLOAT
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
WHERE r.communitiesOwner = $owner
SET
  r.communitiesOwner = null,
  r.communitiesUntil = null,
  r.communitiesVersion = coalesce($version, r.communitiesVersion),
  r.communitiesSettings = coalesce($settings, r.communitiesSettings),
  r.communitiesGraph = coalesce($graph, r.communitiesGraph),
  r.communitiesModularity = coalesce($modularity, r.communitiesModularity),
  r.communitiesAt =
    CASE
      WHEN $version IS NULL THEN r.communitiesAt
      ELSE timestamp()
    END