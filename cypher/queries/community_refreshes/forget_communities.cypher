// Remove communities without members, and let the next refresh make a tenant's communities as if its names had changed
// params: $tenant STRING
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET r.communitiesVersion = -1, r.communitiesGraph = null
WITH r
MATCH (c:Community {tenant: $tenant})
WHERE
  NOT EXISTS {
  (c)<-[:PARENT*0..10]-(:Community)<-[:IN_COMMUNITY]-(:Entity)
  }
DETACH DELETE c