// Relations of some entities as they are aggregated, and as facts give them
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: id STRING,
//   aggregated LIST<{predicate STRING, object STRING, evidence LIST<STRING>, weight INTEGER, confidence FLOAT, documents INTEGER}>,
//   asserted LIST<{predicate STRING, object STRING, confidences LIST<FLOAT>, documents INTEGER}>
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
RETURN
  e.id AS id,
  COLLECT {
    MATCH (e)-[r:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]->(o:Entity)
    RETURN {
      predicate: r.predicate,
      object: o.id,
      evidence: coalesce(r.evidence, []),
      weight: coalesce(r.weight, 0),
      confidence: coalesce(r.confidence, 0.0),
      documents: coalesce(r.documents, 0)
    }
  } AS aggregated,
  COLLECT {
    MATCH (e)<-[:SUBJECT]-(f:Fact)-[:OBJECT]->(o:Entity)
    WHERE o <> e
    MATCH (f)<-[:ASSERTS]-(c:Chunk)
    WITH
      f.predicate AS predicate,
      o.id AS object,
      collect(coalesce(f.confidence, 0.0)) AS confidences,
      count(DISTINCT c.documentId) AS documents
    RETURN {
      predicate: predicate,
      object: object,
      confidences: confidences,
      documents: documents
    }
  } AS asserted