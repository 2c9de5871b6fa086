// Skills with their keywords and tools, by name
// params: $tenant STRING, $limit INTEGER, $after STRING?
// mode: read
// reader: operators because tools are entities, which come from documents of all groups
// returns: id STRING, name STRING, sourceUri STRING, documentId STRING, keywords LIST<STRING>, tools LIST<STRING>
MATCH
  (skill:Entity {tenant: $tenant, type: 'Skill'})<-[:ABOUT {kind: 'title'}]-
  (d:Document)
USING INDEX SEEK skill:Entity(tenant, type)
WHERE $after IS NULL OR d.id > $after
WITH skill, d
ORDER BY d.id
LIMIT $limit
RETURN
  skill.id AS id,
  skill.name AS name,
  d.sourceUri AS sourceUri,
  d.id AS documentId,
  COLLECT {
    MATCH (skill)-[:RELATED_TO]->(w:Entity {type: 'Concept'})
    RETURN w.name
    ORDER
    BY
    w.name
  } AS keywords,
  COLLECT {
    MATCH (skill)-[:CONTAINS]->(t:Entity {type: 'Tool'})
    RETURN t.name
    ORDER
    BY
    t.name
  } AS tools
ORDER BY documentId