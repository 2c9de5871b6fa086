// Those of some chunks that mention entities within two relations of others: bounded at every step
// params: $tenant STRING, $seeds LIST<STRING>, $chunks LIST<STRING>, $fanOut INTEGER, $hubCap INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: chunk STRING, hops INTEGER
// note: ``hops`` of the nearest such entity, 1 or 2. Hubs are neither followed nor counted, and the seeds themselves do not count.
UNWIND $seeds AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant AND COUNT { (e)--() } <= $hubCap
CALL (e) {
  MATCH (e)-[r]-(near:Entity)
  WHERE NOT near.id IN $seeds AND COUNT { (near)--() } <= $hubCap
  WITH near, sum(coalesce(r.weight, 1)) AS weight
  ORDER BY weight DESC, near.id
  LIMIT $fanOut
  RETURN near
}
WITH collect(DISTINCT near) AS first
CALL (first) {
  UNWIND first AS entity
  RETURN entity, 1 AS distance
    UNION
  UNWIND first AS via
  CALL (via) {
    MATCH (via)-[r]-(near:Entity)
    WHERE NOT near.id IN $seeds AND COUNT { (near)--() } <= $hubCap
    WITH near, sum(coalesce(r.weight, 1)) AS weight
    ORDER BY weight DESC, near.id
    LIMIT $fanOut
    RETURN near
  }
  RETURN near AS entity, 2 AS distance
}
WITH entity, min(distance) AS distance
MATCH (entity)<-[:MENTIONS]-(c:Chunk)
WHERE c.id IN $chunks
RETURN c.id AS chunk, min(distance) AS hops
ORDER BY chunk