// Extend a lease that is still held; in a transaction no one else can take it until the end
// params: $tenant STRING, $name STRING, $owner STRING, $token INTEGER, $seconds INTEGER
// mode: write
// returns: token INTEGER
// rows: optional
// note: No row if another owner has taken the lease over.
MATCH (l:Lease {tenant: $tenant, name: $name})
SET l.lock = true
WITH l
WHERE l.owner = $owner AND l.token = $token
SET l.expiresAt = timestamp() + 1000 * $seconds
RETURN l.token AS token