// Entities changed between two versions of the registry
// params: $tenant STRING, $after INTEGER, $upTo INTEGER
// mode: read
// returns: version, entityIds (one row a version)
MATCH (change:GazetteerChange {tenant: $tenant})
WHERE $after < change.version <= $upTo
RETURN change.version AS version, change.entityIds AS entityIds