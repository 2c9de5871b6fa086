// Relations of some entities as they are aggregated, and as facts give them
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// returns: id STRING, aggregated LIST<{predicate STRING, object STRING, weight INTEGER, documents INTEGER}>,
//   asserted LIST<{predicate STRING, object STRING, weight INTEGER, documents INTEGER}>
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
RETURN
  e.id AS id,
  COLLECT {
    MATCH (e)-[r]->(o:Entity)
    WHERE r.fact
    RETURN {
      predicate: type(r),
      object: o.id,
      weight: coalesce(r.weight, 0),
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
      count(*) AS weight,
      count(DISTINCT c.documentId) AS documents
    RETURN {
      predicate: predicate,
      object: object,
      weight: weight,
      documents: documents
    }
  } AS asserted