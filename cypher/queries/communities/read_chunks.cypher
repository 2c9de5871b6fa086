// Chunks that mention the most central entities of communities
// params: $tenant STRING, $rows LIST<MAP>, $limit INTEGER
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: row INTEGER, id STRING, text STRING, mentions LIST<{id STRING, offsets LIST<INTEGER>}>
// note: ``row`` is the number of the row in ``rows``.
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