// Memory that the server grants one transaction, and all of them together
// mode: read
// reader: anyone because it reads no data
// allows: AnyTenant because it asks about the server, not about data
// returns: granted STRING
// note: As Neo4j writes sizes, such as ``512.00MiB``; ``0B`` where there is no limit.
SHOW SETTINGS 'db.memory.transaction.max', 'dbms.memory.transaction.total.max'
YIELD value
RETURN value AS granted