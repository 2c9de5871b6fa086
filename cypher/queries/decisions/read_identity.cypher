// What some documents say of entities: mentions by the origin of their evidence, titles, and the ends of facts
// params: $tenant STRING, $documents LIST<STRING>, $origins LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: document STRING, mentions LIST<{chunk STRING, entity STRING, origin STRING, evidence LIST<STRING>?}>,
//   about LIST<{entity STRING, origin STRING, evidence LIST<STRING>?}>,
//   facts LIST<{id STRING, predicate STRING, confidence FLOAT, subject STRING, subjectOrigin STRING, object STRING?, objectOrigin STRING?}>
// note: Mentions and titles of ``origins`` only; facts all.
UNWIND $documents AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
RETURN
  d.id AS document,
  COLLECT {
    MATCH
      (d)-[:HAS_SECTION]->
      (:Section)-[:HAS_CHUNK]->
      (c:Chunk)-[m:MENTIONS]->
      (e:Entity)
    WHERE m.via <> 'linker' AND coalesce(m.origin, e.id) IN $origins
    RETURN {
      chunk: c.id,
      entity: e.id,
      origin: coalesce(m.origin, e.id),
      evidence: m.evidence
    }
  } AS mentions,
  COLLECT {
    MATCH (d)-[a:ABOUT]->(e:Entity)
    WHERE coalesce(a.origin, e.id) IN $origins
    RETURN {
      entity: e.id,
      origin: coalesce(a.origin, e.id),
      evidence: a.evidence
    }
  } AS about,
  COLLECT {
    MATCH
      (d)-[:HAS_SECTION]->
      (:Section)-[:HAS_CHUNK]->
      (:Chunk)-[:ASSERTS]->
      (f:Fact)-[s:SUBJECT]->
      (subject:Entity)
    OPTIONAL MATCH (f)-[o:OBJECT]->(object:Entity)
    RETURN {
      id: f.id,
      predicate: f.predicate,
      confidence: coalesce(f.confidence, 0.0),
      subject: subject.id,
      subjectOrigin: coalesce(s.origin, subject.id),
      object: object.id,
      objectOrigin: coalesce(o.origin, object.id)
    }
  } AS facts