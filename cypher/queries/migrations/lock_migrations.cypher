// Keep everyone else from migrating until this transaction ends; it is never committed
// params: $id STRING, $name STRING
// mode: write
// untyped: because migrations run it in a transaction of their own, which takes text
// returns: nothing
// allows: AnyTenant because the schema belongs to the database
CREATE (:__Neo4jMigrationsLock {id: $id, name: $name})