// What entities/expand_entities returns, of mentions in the documents that a reader may see: without those that linking found
// params: $tenant STRING, $seeds LIST<MAP>, $chunks LIST<STRING>, $chunksPerEntity INTEGER,
//   $entitiesPerChunk INTEGER, $hubCap INTEGER, $seedCap INTEGER, $bridges INTEGER, $title FLOAT, $filter MAP?
// mode: read
// reader: filtered
// returns: entity STRING, degree INTEGER, mentions LIST<(STRING, STRING, STRING?, INTEGER, STRING?)>
// note: A seed has ``id`` and ``degree``. Degrees count visible mentions, those of others than seeds no further than ``hubCap``.
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
WHERE m.via <> 'linker'
WITH
  e,
  c,
  max(
    CASE m.via
      WHEN 'title' THEN $title
      ELSE 1
    END) AS mass,
  collect(m) AS mentions
WITH e, collect({chunk: c, mass: mass, mentions: mentions}) AS holders
// Once an entity, because it looks at each mention; what it saw is kept for the next step.
CALL (e) {
  WITH e
  WHERE NOT e.id IN [seed IN $seeds WHERE seed.degree > $hubCap | seed.id]
  MATCH (e)<-[m:MENTIONS]-(c)
  WHERE m.via <> 'linker'
  MATCH (d:Document {id: c.documentId})
  USING INDEX SEEK d:Document(id)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  WITH m
  LIMIT $hubCap + 1
  RETURN collect(m) AS held
}
WITH
  e,
  holders,
  held,
  [seed IN $seeds WHERE seed.id = e.id | seed.degree] AS known
WHERE size(known) > 0 OR size(held) <= $hubCap
WITH
  e,
  holders,
  held,
  size(known) > 0 AS seed,
  coalesce(known[0], size(held)) AS degree
UNWIND holders AS holder
WITH holder, holder.chunk AS c, e, held, degree, seed
ORDER BY seed DESC, degree, e.id
WITH
  c,
  collect(holder {.*, entity: e, held: held, degree: degree})[
  ..
  $entitiesPerChunk] AS rows
UNWIND rows AS row
WITH collect(row) AS near
CALL (near) {
  UNWIND near AS row
  RETURN
    row.chunk AS chunk,
    row.entity AS entity,
    row.degree AS degree,
    row.mentions AS mentions,
    true AS first
    UNION ALL
  UNWIND near AS row
  WITH
    row.entity AS entity,
    row.degree AS degree,
    head(collect(row.held)) AS held,
    count(*) AS seen,
    sum(row.mass) AS mass
  // A name whose mentions are all here leads nowhere else.
  WHERE seen < degree <= $hubCap
  ORDER BY 1.0 * mass / degree DESC, entity.id
  LIMIT $bridges
  CALL (held) {
    UNWIND held AS m
    WITH
      startNode(m) AS c,
      sum(m.count +
        CASE m.via
          WHEN 'title' THEN 1000
          ELSE 0
        END) AS weight,
      collect(m) AS mentions
    WHERE
      $filter IS NULL OR
      EXISTS {
        MATCH (c)<-[:HAS_CHUNK]-(section:Section)<-[:HAS_SECTION]-(d:Document)
        WHERE [d, section, c] = $filter
      }
    RETURN c, mentions
    ORDER BY weight DESC, c.id
    LIMIT $chunksPerEntity
  }
  RETURN c AS chunk, entity, degree, mentions, false AS first
}
UNWIND mentions AS m
WITH
  entity,
  degree,
  collect([
    chunk.id,
    m.via,
    m.key,
    m.count,
    CASE
      WHEN first THEN m.contextWords
    END
  ]) AS mentions
RETURN entity.id AS entity, degree, mentions