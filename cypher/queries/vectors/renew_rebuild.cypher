// Renew the turn
// params: $tenant STRING, $owner STRING, $until INTEGER
// mode: write
// returns: tenant; no row if the turn is another's by now
MATCH (r:Tenant {tenant: $tenant})
SET r.vectorLock = true
WITH r
WHERE r.vectorOwner = $owner
SET r.vectorUntil = $until
RETURN r.tenant AS tenant