// How the server's databases are: one that has given up says why
// mode: read
// reader: anyone because it reads no data
// allows: AnyTenant because it asks about the server, not about data
// returns: name STRING, status STRING, message STRING, access STRING
SHOW DATABASES
YIELD name, currentStatus, statusMessage, access
RETURN
  name AS name,
  currentStatus AS status,
  statusMessage AS message,
  access AS access