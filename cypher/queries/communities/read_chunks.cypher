// Chunks that mention the most central names of communities
// params: $tenant STRING, $rows LIST<MAP>, $limit INTEGER
// mode: read
// returns: row (its number), id (of the chunk), text, mentions (id, offsets) of central names
UNWIND $rows AS row
CALL (row) {
  UNWIND row.central AS central
  MATCH (e:Entity {id: central})<-[m:MENTIONS]-(c:Chunk)
  USING INDEX SEEK e:Entity(id)
  WHERE c.tenant = $tenant
  WITH
    c,
    count(DISTINCT e) AS names,
    collect({id: e.id, offsets: coalesce(m.offsets, [])}) AS mentions
  RETURN c, mentions
  ORDER BY names DESC, c.id
  LIMIT $limit
}
RETURN row.number AS row, c.id AS id, c.text AS text, mentions
ORDER BY row, id