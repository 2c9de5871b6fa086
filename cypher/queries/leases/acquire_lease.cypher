// Take a lease that is free, has expired, or is this owner's already
// params: $tenant STRING, $name STRING, $owner STRING, $seconds INTEGER
// mode: write
// returns: token INTEGER
// rows: optional
// note: No row if another owner has the lease. Each new owner gets a greater fencing token.
MERGE (l:Lease {tenant: $tenant, name: $name})
SET l.lock = true
WITH l, coalesce(l.owner = $owner, false) AS ours
WHERE ours OR l.owner IS NULL OR l.expiresAt < timestamp()
SET
  l.token = coalesce(l.token, 0) +
    CASE
      WHEN ours THEN 0
      ELSE 1
    END,
  l.owner = $owner,
  l.expiresAt = timestamp() + 1000 * $seconds
RETURN l.token AS token