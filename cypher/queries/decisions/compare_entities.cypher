// What the graph says of an entity beside others: neighbours that both have, and chunks that name both
// params: $tenant STRING, $id STRING, $others LIST<STRING>, $limit INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, shared INTEGER, near INTEGER, together INTEGER, chunks INTEGER
// note: At most ``most`` neighbours and chunks of each are read; ``near`` is the smaller number of neighbours.
MATCH (a:Entity {id: $id})
USING INDEX SEEK a:Entity(id)
WHERE a.tenant = $tenant
CALL (a) {
  MATCH (a)--(n:Entity)
  WITH DISTINCT n
  LIMIT $limit
  RETURN collect(n.id) AS ownNear
}
CALL (a) {
  MATCH (a)<-[m:MENTIONS]-(c:Chunk)
  WHERE m.via <> 'linker'
  WITH DISTINCT c
  LIMIT $limit
  RETURN collect(c) AS ownChunks
}
UNWIND $others AS other
MATCH (b:Entity {id: other})
USING INDEX SEEK b:Entity(id)
WHERE b.tenant = $tenant
CALL (b) {
  MATCH (b)--(n:Entity)
  WITH DISTINCT n
  LIMIT $limit
  RETURN collect(n.id) AS otherNear
}
RETURN
  b.id AS id,
  size([n IN otherNear WHERE n IN ownNear]) AS shared,
  CASE
    WHEN size(ownNear) < size(otherNear) THEN size(ownNear)
    ELSE size(otherNear)
  END AS near,
  size(
    [
      c IN ownChunks
      WHERE
        EXISTS {
          MATCH (c)-[m:MENTIONS]->(e:Entity)
          WHERE e.id = b.id AND m.via <> 'linker'
        }
    ]) AS together,
  size(ownChunks) AS chunks