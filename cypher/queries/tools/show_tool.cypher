// A tool with its skills, its keywords and theirs
// params: $tenant STRING, $tool STRING
// mode: read
// returns: path
// untyped: because answers carry its text for people to run in Neo4j Browser; the platform never runs it
MATCH
  path =
    (t:Entity {id: $tool})-[:CONTAINS|RELATED_TO|USES|DOCUMENTED_IN]-
    (near:Entity)-[:RELATED_TO*0..1]->
    (:Entity)
USING INDEX SEEK t:Entity(id)
WHERE t.tenant = $tenant
RETURN path
LIMIT 100