// Choose the model that questions use; no row if some chunks lack its vectors
// params: $tenant STRING, $model STRING
// mode: write
// returns: tenant STRING
// rows: optional
MATCH (r:Tenant {tenant: $tenant})
SET r.vectorLock = true
WITH r
WHERE $model IN r.vectorModels
SET r.vectorModel = $model
RETURN r.tenant AS tenant