// Begin to make vectors of these models: whoever writes chunks without them takes them off the list again
// params: $tenant STRING, $models LIST<STRING>, $kept LIST<STRING>
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET r.vectorLock = true
SET
  r.vectorBuilding = $models,
  r.vectorModels = [model IN r.vectorModels WHERE model IN $kept]