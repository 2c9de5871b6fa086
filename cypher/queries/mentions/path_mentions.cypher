// Where chunks mention names, with the words of the chunks
// params: $tenant STRING, $pairs LIST<MAP>
// mode: read
// reader: filtered
// returns: chunk STRING, entity STRING, text STRING, title STRING, offset INTEGER?
// rows: collected
// note: Each pair has ``chunk`` and ``entity``; ``offset`` is that of the first mention; none where only the title names the entity. A reader who is
//   restricted to groups gets no mentions that linking found.
UNWIND $pairs AS pair
MATCH (c:Chunk {id: pair.chunk})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
CALL (c, pair) {
  MATCH (c)-[m:MENTIONS]->(e:Entity)
  WHERE e.id = pair.entity AND ($groups IS NULL OR m.via <> 'linker')
  RETURN min(m.offsets[0]) AS offset
}
RETURN
  c.id AS chunk,
  pair.entity AS entity,
  c.text AS text,
  d.title AS title,
  offset