// Names and how many chunks mention them
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, degree INTEGER, titled BOOLEAN, guessed BOOLEAN
// note: ``degree`` leaves out what a model names where others name it too; ``titled``: some document is about the entity; ``guessed``: no one but a
//   model names it.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
RETURN
  e.id AS id,
  e.name AS name,
  COUNT { (e)<-[:MENTIONS]-() } - coalesce(e.agreed, 0) AS degree,
  EXISTS { (e)<-[:ABOUT {kind: 'title'}]-() } AS titled,
  all(
    line IN coalesce(e.evidence, [''])
    WHERE split(line, '\t')[0] IN ['llm', 'strict', 'agreed']
  ) AS guessed