// Answer: the shortest query that a server can run
// mode: read
// returns: one INTEGER
// rows: one
// allows: AnyTenant because it reads no node
RETURN 1 AS one