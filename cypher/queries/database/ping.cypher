// Answer: the shortest question a server can be asked
// mode: read
// returns: one row with the number 1
// allows: AnyTenant because it reads no node
RETURN 1 AS one