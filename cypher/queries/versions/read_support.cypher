// What some chunks contribute: evidence for entities and relations between them
// params: $tenant STRING, $chunks LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, mentions LIST<{entity STRING, origin STRING?, evidence LIST<STRING>}>,
//   relations LIST<{subject STRING, predicate STRING, object STRING, confidence FLOAT}>
// rows: many
UNWIND $chunks AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
RETURN
  c.id AS id,
  COLLECT {
    MATCH (c)-[m:MENTIONS]->(e:Entity)
    WHERE m.evidence IS NOT NULL
    RETURN {entity: e.id, origin: m.origin, evidence: m.evidence}
  } AS mentions,
  COLLECT {
    MATCH (c)-[:ASSERTS]->(f:Fact)-[:SUBJECT]->(s:Entity)
    MATCH (f)-[:OBJECT]->(o:Entity)
    RETURN {
      subject: s.id,
      predicate: f.predicate,
      object: o.id,
      confidence: coalesce(f.confidence, 0.0)
    }
  } AS relations