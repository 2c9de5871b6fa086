// Whether any tenant restricts documents to groups of readers
// mode: read
// reader: anyone because it tells of no document
// returns: restricted BOOLEAN
// rows: optional
// allows: AnyTenant because it decides who may see figures about all of them
MATCH (r:Tenant)
WHERE r.apartSince IS NOT NULL OR r.restoring
RETURN true AS restricted
LIMIT 1