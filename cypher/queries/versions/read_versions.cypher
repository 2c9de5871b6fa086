// What the graph holds of some documents
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, version INTEGER, patch STRING?, chunks LIST<STRING>, about LIST<{entity STRING, origin STRING?, evidence LIST<STRING>}>
// rows: many
// note: ``chunks`` are ids.
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
RETURN
  d.id AS id,
  d.version AS version,
  d.patch AS patch,
  COLLECT {
    MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
    RETURN c.id
  } AS chunks,
  COLLECT {
    MATCH (d)-[a:ABOUT {kind: 'title'}]->(e:Entity)
    RETURN {entity: e.id, origin: a.origin, evidence: a.evidence}
  } AS about