// Where chunks mention names, with the words of the chunks
// params: $tenant STRING, $pairs LIST<MAP>
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: chunk STRING, entity STRING, text STRING, title STRING, offset INTEGER?
// note: Each pair has ``chunk`` and ``entity``; ``offset`` is that of the first mention; none where only the title names the entity.
UNWIND $pairs AS pair
MATCH (c:Chunk {id: pair.chunk})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
CALL (c, pair) {
  MATCH (c)-[m:MENTIONS]->(e:Entity)
  WHERE e.id = pair.entity
  RETURN min(m.offsets[0]) AS offset
}
RETURN
  c.id AS chunk,
  pair.entity AS entity,
  c.text AS text,
  d.title AS title,
  offset