// Keep the turn to refresh communities; in a transaction it also keeps writers of documents out until the end
// params: $tenant STRING, $owner STRING, $seconds INTEGER
// mode: write
// returns: a row if the turn is still held
MATCH (r:Tenant {tenant: $tenant})
SET r.communitiesLock = true
WITH r
WHERE r.communitiesOwner = $owner
SET r.communitiesUntil = timestamp() + 1000 * $seconds
RETURN true AS held