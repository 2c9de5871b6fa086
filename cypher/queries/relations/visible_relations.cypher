// Relations of some entities as the facts of the documents that a reader may see make them
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: via STRING, id STRING, predicate STRING, direction STRING, weight INTEGER, documents INTEGER, confidence FLOAT
UNWIND $ids AS via
MATCH (e:Entity {id: via})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)<-[:SUBJECT]-(f)-[:OBJECT]->(o)
  WHERE o <> e
  RETURN f, o, 'out' AS direction
    UNION ALL
  MATCH (e)<-[:OBJECT]-(f)-[:SUBJECT]->(o)
  WHERE o <> e
  RETURN f, o, 'in' AS direction
}
MATCH (c)-[:ASSERTS]->(f)
// A document is looked at once a relation, however many facts it states.
WITH
  via,
  o,
  f.predicate AS predicate,
  direction,
  c.documentId AS document,
  count(DISTINCT f) AS facts,
  max(f.confidence) AS confidence
MATCH (d:Document {id: document})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
RETURN
  via,
  o.id AS id,
  predicate,
  direction,
  sum(facts) AS weight,
  count(d) AS documents,
  max(confidence) AS confidence
ORDER BY via, id, predicate, direction