// Wait until every index is populated
// params: $seconds INTEGER
// mode: read
// reader: anyone because the schema belongs to the database
// returns: nothing
// allows: AnyTenant because the schema belongs to the database
CALL db.awaitIndexes($seconds)