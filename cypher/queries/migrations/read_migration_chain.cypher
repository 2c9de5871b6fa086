// The migrations that were applied, each with its successor (null at the end)
// params: $target STRING
// mode: read
// reader: anyone because the schema belongs to the database
// returns: version STRING, checksum STRING?, source STRING?, description STRING?, next STRING?, at DATETIME?
// allows: AnyTenant because the schema belongs to the database
MATCH (migration:__Neo4jMigration)
WHERE coalesce(migration.migrationTarget, '') = $target
OPTIONAL MATCH (migration)-[:MIGRATED_TO]->(next:__Neo4jMigration)
OPTIONAL MATCH (migration)<-[step:MIGRATED_TO]-()
RETURN
  migration.version AS version,
  migration.checksum AS checksum,
  migration.source AS source,
  migration.description AS description,
  next.version AS next,
  step.at AS at