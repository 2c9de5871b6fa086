// Add an applied migration to the end of the chain; run it only under the lock
// params: $target STRING, $version STRING, $description STRING, $source STRING, $checksum STRING, $seconds FLOAT
// mode: write
// untyped: because migrations run it in a transaction of their own, which takes text
// returns: nothing
// allows: AnyTenant because the schema belongs to the database
MATCH (last:__Neo4jMigration)
WHERE
  coalesce(last.migrationTarget, '') = $target AND NOT (last)-[:MIGRATED_TO]->()
CREATE
  (last)-
    [:MIGRATED_TO {
        at: datetime(),
        in: duration({seconds: $seconds}),
        by: 'interlace'
      }]->
  (:__Neo4jMigration
    {
      version: $version,
      description: $description,
      type: 'CYPHER',
      source: $source,
      checksum: $checksum,
      migrationTarget: nullIf($target, '')
    })