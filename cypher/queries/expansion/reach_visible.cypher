// Chunks that a reader may see: those that mention some entities and some given ones, with all that they mention
// params: $tenant STRING, $seeds LIST<MAP>, $chunks LIST<STRING>, $chunksPerEntity INTEGER, $seedCap INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: entity STRING, degree INTEGER?, mentions LIST<(STRING, STRING, STRING?, INTEGER, STRING?)>
// rows: collected
// note: The first step of expansion/expand_entities, without mentions that linking found. A seed has ``id`` and ``degree``, which counts its
//   visible mentions; so does a row's ``degree``, null unless all of the entity's mentions are in these chunks: visibility/visible_degrees counts
//   the others. A mention is chunk, via, key, count and context words.
CALL () {
  UNWIND $seeds AS seed
  MATCH (e:Entity {id: seed.id})
  USING INDEX SEEK e:Entity(id)
  WHERE e.tenant = $tenant
  CALL (e, seed) {
    WITH e, seed
    WHERE seed.degree <= $seedCap
    MATCH (e)<-[m:MENTIONS]-(c)
    WHERE m.via <> 'linker'
    WITH
      c,
      sum(m.count +
        CASE m.via
          WHEN 'title' THEN 1000
          ELSE 0
        END) AS weight
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
    RETURN c
    ORDER BY weight DESC, c.id
    LIMIT $chunksPerEntity
      UNION
    WITH e, seed
    WHERE seed.degree > $seedCap
    MATCH
      (e)<-[:ABOUT]-
      (d:Document)-[:HAS_SECTION]->
      (section:Section)-[:HAS_CHUNK]->
      (c:Chunk)
    WHERE
      ($groups IS NULL OR
        d.access IS NULL OR
        any(g IN d.access WHERE g IN $groups)) AND
      ($filter IS NULL OR [d, section, c] = $filter)
    RETURN c
    ORDER BY c.id
    LIMIT $chunksPerEntity
  }
  RETURN c
    UNION
  UNWIND $chunks AS id
  MATCH (c:Chunk {id: id})
  USING INDEX SEEK c:Chunk(id)
  WHERE c.tenant = $tenant
  MATCH (d:Document {id: c.documentId})
  USING INDEX SEEK d:Document(id)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN c
}
WITH DISTINCT c
MATCH (c)-[m:MENTIONS]->(e:Entity)
WITH
  e,
  count(m) AS here,
  sum(
    CASE
      WHEN
        m.via <> 'linker' AND
        (m.via <> 'llm' OR
          none(line IN m.evidence WHERE line STARTS WITH 'agreed\t'))
        THEN 1
      ELSE 0
    END) AS counted,
  collect(
    CASE
      WHEN m.via <> 'linker' THEN [c.id, m.via, m.key, m.count, m.contextWords]
    END) AS mentions
WHERE size(mentions) > 0
RETURN
  e.id AS entity,
  CASE here
    WHEN COUNT { (e)<-[:MENTIONS]-() } THEN counted
  END AS degree,
  mentions