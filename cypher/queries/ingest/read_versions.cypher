// What the graph holds of some documents
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id, version, chunks (ids), about (entity, evidence)
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
RETURN
  d.id AS id,
  d.version AS version,
  COLLECT {
    MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
    RETURN c.id
  } AS chunks,
  COLLECT {
    MATCH (d)-[a:ABOUT {kind: 'title'}]->(e:Entity)
    RETURN {entity: e.id, evidence: a.evidence}
  } AS about