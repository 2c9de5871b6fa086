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
  MATCH (e)<-[:SUBJECT]-(f:Fact)-[:OBJECT]->(o:Entity)
  WHERE o <> e
  RETURN f, o, 'out' AS direction
    UNION ALL
  MATCH (e)<-[:OBJECT]-(f:Fact)-[:SUBJECT]->(o:Entity)
  WHERE o <> e
  RETURN f, o, 'in' AS direction
}
MATCH (c:Chunk)-[:ASSERTS]->(f)
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
RETURN
  via,
  o.id AS id,
  f.predicate AS predicate,
  direction,
  count(DISTINCT f) AS weight,
  count(DISTINCT d) AS documents,
  max(f.confidence) AS confidence
ORDER BY via, id, predicate, direction