// What the last checks found, all tenants together
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: name STRING, violations INTEGER, checkedAt INTEGER
// note: ``checked_at`` is the time of the oldest check, in milliseconds.
// allows: AnyTenant because it is for whoever runs the platform
MATCH (r:Tenant)
WHERE r.checkedAt IS NOT NULL
UNWIND range(0, size(r.violationNames) - 1) AS place
RETURN
  r.violationNames[place] AS name,
  sum(r.violationCounts[place]) AS violations,
  min(r.checkedAt) AS checkedAt
ORDER BY name