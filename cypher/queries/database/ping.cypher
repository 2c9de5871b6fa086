// Answer: the shortest query that a server can run
// mode: read
// reader: anyone because it reads no data
// returns: one INTEGER
// rows: one
// allows: AnyTenant because it reads no node
RETURN 1 AS one