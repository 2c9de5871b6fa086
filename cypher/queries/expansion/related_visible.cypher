// What expansion/related_chunks returns, by the facts of the documents that a reader may see
// params: $tenant STRING, $seeds LIST<STRING>, $chunks LIST<STRING>, $fanOut INTEGER, $hubCap INTEGER
// mode: read
// reader: filtered
// returns: chunk STRING, hops INTEGER
// note: An entity with more than ``hubCap`` visible facts is a hub.
UNWIND $seeds AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)-[:SUBJECT|OBJECT]->(near:Entity)
  WHERE near <> e
  MATCH (c:Chunk)-[:ASSERTS]->(f)
  MATCH (d:Document {id: c.documentId})
  USING INDEX SEEK d:Document(id)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  WITH near, count(DISTINCT f) AS weight
  ORDER BY weight DESC, near.id
  WITH collect({entity: near, weight: weight}) AS rows, sum(weight) AS facts
  WHERE facts <= $hubCap
  UNWIND [row IN rows WHERE NOT row.entity.id IN $seeds][..$fanOut] AS row
  RETURN row.entity AS near
}
WITH collect(DISTINCT near) AS first
CALL (first) {
  UNWIND first AS entity
  RETURN entity, 1 AS distance
    UNION
  UNWIND first AS via
  CALL (via) {
    MATCH (via)<-[:SUBJECT|OBJECT]-(f:Fact)-[:SUBJECT|OBJECT]->(near:Entity)
    WHERE near <> via
    MATCH (c:Chunk)-[:ASSERTS]->(f)
    MATCH (d:Document {id: c.documentId})
    USING INDEX SEEK d:Document(id)
    WHERE
      ($groups IS NULL OR
        d.access IS NULL OR
        any(g IN d.access WHERE g IN $groups))
    WITH near, count(DISTINCT f) AS weight
    ORDER BY weight DESC, near.id
    WITH collect({entity: near, weight: weight}) AS rows, sum(weight) AS facts
    WHERE facts <= $hubCap
    UNWIND [row IN rows WHERE NOT row.entity.id IN $seeds][..$fanOut] AS row
    RETURN row.entity AS near
  }
  RETURN near AS entity, 2 AS distance
}
WITH entity, min(distance) AS distance
MATCH (entity)<-[m:MENTIONS]-(c:Chunk)
WHERE c.id IN $chunks AND m.via <> 'linker'
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
RETURN c.id AS chunk, min(distance) AS hops
ORDER BY chunk