// Choose the model that questions use
// params: $tenant STRING, $model STRING
// mode: write
// returns: tenant; no row if not all chunks have vectors of it
MATCH (r:Tenant {tenant: $tenant})
SET r.vectorLock = true
WITH r
WHERE $model IN r.vectorModels
SET r.vectorModel = $model
RETURN r.tenant AS tenant