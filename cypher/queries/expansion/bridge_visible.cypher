// Chunks that a reader may see and that mention some entities, of each those that mention it most
// params: $tenant STRING, $ids LIST<STRING>, $chunksPerEntity INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: entity STRING, mentions LIST<(STRING, STRING, STRING?, INTEGER, STRING?)>
// rows: collected
// note: The second step of expansion/expand_entities, without mentions that linking found. A mention is chunk, via, key, count and null.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)<-[m:MENTIONS]-(c)
  WHERE m.via <> 'linker'
  WITH
    c,
    sum(m.count +
      CASE m.via
        WHEN 'title' THEN 1000
        ELSE 0
      END) AS weight,
    collect(m) AS mentions
  // Sorted before a look at documents, which ends as soon as there are enough.
  ORDER BY weight DESC, c.id
  WHERE
    EXISTS {
      MATCH (c)<-[:HAS_CHUNK]-(section:Section)<-[:HAS_SECTION]-(d:Document)
      WHERE
        ($groups IS NULL OR
          d.access IS NULL OR
          any(g IN d.access WHERE g IN $groups)) AND
        ($filter IS NULL OR [d, section, c] = $filter)
    }
  RETURN c, mentions
  ORDER BY weight DESC, c.id
  LIMIT $chunksPerEntity
}
UNWIND mentions AS m
RETURN e.id AS entity, collect([c.id, m.via, m.key, m.count, null]) AS mentions