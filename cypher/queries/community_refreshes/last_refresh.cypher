// What a tenant's communities were made of
// params: $tenant STRING
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: version INTEGER, graph STRING?, modularity FLOAT?
// rows: one
// note: ``version`` is the gazetteer's version now; ``graph`` is the signature of what the last refresh read.
MATCH (r:Tenant {tenant: $tenant})
RETURN
  r.version AS version,
  r.communitiesGraph AS graph,
  r.communitiesModularity AS modularity