// Begin the chain of migrations; run it only under the lock, on a database without one
// params: $target STRING
// mode: write
// untyped: because migrations run it in a transaction of their own, which takes text
// returns: nothing
// allows: AnyTenant because the schema belongs to the database
CREATE
  (:__Neo4jMigration
    {version: 'BASELINE', migrationTarget: nullIf($target, '')})