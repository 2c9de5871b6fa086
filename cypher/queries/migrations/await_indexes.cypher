// Wait until every index is populated
// params: $seconds INTEGER
// mode: read
// returns: nothing
// allows: AnyTenant because the schema belongs to the database
CALL db.awaitIndexes($seconds)