// Decisions about entities, the newest first: who said what, when and why
// params: $tenant STRING
// mode: read
// returns: kind STRING, names STRING, author STRING, at STRING, note STRING, documents INTEGER, entities LIST<STRING>
MATCH (d:Decision {tenant: $tenant})
WITH d
ORDER BY d.createdAt DESC
LIMIT 100
WITH collect(d) AS decisions
WITH
  decisions,
  COLLECT {
    UNWIND decisions AS d
    UNWIND d.forms AS form
    RETURN DISTINCT form
  } AS forms
WITH
  decisions,
  COLLECT {
    MATCH (e:Entity {tenant: $tenant})
    WHERE any(key IN e.keys WHERE key IN forms)
    RETURN e
  } AS found
UNWIND decisions AS d
RETURN
  d.kind AS kind,
  d.name AS names,
  d.author AS author,
  d.createdAt AS at,
  d.note AS note,
  size(d.documents) AS documents,
  [e IN found WHERE any(key IN e.keys WHERE key IN d.forms) | e.name] AS entities
ORDER BY at DESC