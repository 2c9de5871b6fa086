// Give the turn back
// params: $tenant STRING, $owner STRING
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
WHERE r.vectorOwner = $owner
SET r.vectorOwner = null, r.vectorUntil = null