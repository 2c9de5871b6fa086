// Entities changed between two versions of a tenant's gazetteer
// params: $tenant STRING, $after INTEGER, $upTo INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: version INTEGER, entityIds LIST<STRING>
// note: One row a version.
MATCH (change:GazetteerChange {tenant: $tenant})
WHERE $after < change.version <= $upTo
RETURN change.version AS version, change.entityIds AS entityIds