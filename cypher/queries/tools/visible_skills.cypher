// Documents that declare skills, of those that a reader may see, by id; names and types of the skills follow from visibility/visible_evidence
// params: $tenant STRING, $limit INTEGER, $after STRING?
// mode: read
// reader: filtered
// returns: skill STRING, document STRING, sourceUri STRING
MATCH (d:Document {tenant: $tenant})-[a:ABOUT {kind: 'title'}]->(skill:Entity)
WHERE
  ($after IS NULL OR d.id > $after) AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups)) AND
  any(line IN a.evidence WHERE split(line, '\t')[1] = 'Skill')
RETURN skill.id AS skill, d.id AS document, d.sourceUri AS sourceUri
ORDER BY document
LIMIT $limit