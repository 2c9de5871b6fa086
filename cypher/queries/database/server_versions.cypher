// The versions of Neo4j and of Graph Data Science; fails where the latter is missing
// mode: read
// reader: anyone because it reads no data
// allows: AnyTenant because it asks about the server, not about data
// returns: neo4j STRING, gds STRING
CALL dbms.components() YIELD name, versions
  WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS neo4j, gds.version() AS gds