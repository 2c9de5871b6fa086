// Choose the model that questions use
// params: $tenant STRING, $model STRING
// mode: write
// returns: tenant; no row if not all passages have vectors of it
MATCH (r:Registry {tenant: $tenant})
SET r.vectorLock = true
WITH r
WHERE $model IN r.vectorModels
SET r.vectorModel = $model
RETURN r.tenant AS tenant