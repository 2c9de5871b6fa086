// Give a lease back; the fencing token stays, so that the next one is greater
// params: $tenant STRING, $name STRING, $owner STRING, $token INTEGER
// mode: write
// returns: nothing
MATCH (l:Lease {tenant: $tenant, name: $name})
WHERE l.owner = $owner AND l.token = $token
SET l.owner = null, l.expiresAt = null