// Names and how many passages mention them
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, name, degree, titles (documents whose title it is)
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.tenant = $tenant
RETURN
  e.id AS id,
  e.name AS name,
  COUNT { (e)<-[:MENTIONS]-() } AS degree,
  COUNT { (e)<-[:ABOUT {kind: 'title'}]-() } AS titles