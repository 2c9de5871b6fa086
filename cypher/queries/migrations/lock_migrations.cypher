// Keep everyone else from migrating until this transaction ends; it is never committed
// params: $id STRING, $name STRING
// mode: write
// returns: nothing
// allows: AnyTenant because the schema belongs to the database
CREATE (:__Neo4jMigrationsLock {id: $id, name: $name})