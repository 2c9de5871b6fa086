// Record what the last check of a tenant found
// params: $tenant STRING, $names LIST<STRING>, $counts LIST<INTEGER>
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET
  r.checkedAt = timestamp(),
  r.violationNames = $names,
  r.violationCounts = $counts