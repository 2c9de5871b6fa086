// Chunks that mention names, then names of those chunks, then chunks again: bounded at every step
// params: $tenant STRING, $seeds LIST<STRING>, $chunks LIST<STRING>, $chunksPerEntity INTEGER, $entitiesPerChunk INTEGER, $hubCap INTEGER,
//   $seedCap INTEGER, $bridges INTEGER, $title FLOAT, $filter MAP?
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: entity STRING, name STRING, degree INTEGER, mentions LIST<(STRING, STRING, STRING?, INTEGER, STRING?)>
// rows: collected
// note: A mention is chunk, via, key, count and context words, those only for chunks of the first step; one may come twice. ``bridges``
//   entities are expanded in the second step; a title counts ``title`` times.
CALL () {
  UNWIND $seeds AS id
  MATCH (e:Entity {id: id})
  USING INDEX SEEK e:Entity(id)
  WHERE e.tenant = $tenant
  CALL (e) {
    WITH e
    WHERE COUNT { (e)<-[:MENTIONS]-() } - coalesce(e.agreed, 0) <= $seedCap
    MATCH (e)<-[m:MENTIONS]-(c:Chunk)
    WHERE
      $filter IS NULL OR
      EXISTS {
        MATCH (c)<-[:HAS_CHUNK]-(section:Section)<-[:HAS_SECTION]-(d:Document)
        WHERE [d, section, c] = $filter
      }
    WITH
      c,
      sum(m.count +
        CASE m.via
          WHEN 'title' THEN 1000
          ELSE 0
        END) AS weight
    RETURN c
    ORDER BY weight DESC, c.id
    LIMIT $chunksPerEntity
      UNION
    WITH e
    WHERE
      COUNT { (e)<-[:MENTIONS]-() } - coalesce(e.agreed, 0) > $seedCap AND
      COUNT { (e)<-[:ABOUT]-() } <= $seedCap
    MATCH
      (e)<-[:ABOUT]-
      (d:Document)-[:HAS_SECTION]->
      (section:Section)-[:HAS_CHUNK]->
      (c:Chunk)
    WHERE $filter IS NULL OR [d, section, c] = $filter
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
  RETURN c
}
WITH DISTINCT c, c.id AS id
CALL (c) {
  MATCH (c)-[m:MENTIONS]->(e:Entity)
  WITH
    e,
    max(
      CASE m.via
        WHEN 'title' THEN $title
        ELSE 1
      END) AS mass,
    collect(m) AS mentions
  WITH
    e,
    mass,
    mentions,
    COUNT { (e)<-[:MENTIONS]-() } - coalesce(e.agreed, 0) AS degree,
    e.id IN $seeds AS seed
  WHERE degree <= $hubCap OR seed
  RETURN e, degree, mass, mentions
  ORDER BY seed DESC, degree, e.id
  LIMIT $entitiesPerChunk
}
WITH
  collect({chunk: id, entity: e, degree: degree, mass: mass, mentions: mentions}) AS near
CALL (near) {
  UNWIND near AS row
  RETURN
    row.chunk AS chunk,
    row.entity AS entity,
    row.degree AS degree,
    // Kept, because matching them again between two known ends would read all mentions of one end, once a pair.
    row.mentions AS mentions,
    true AS first
    UNION ALL
  UNWIND near AS row
  WITH
    row.entity AS entity,
    row.degree AS degree,
    count(*) AS seen,
    sum(row.mass) AS mass
  // A name whose mentions are all here leads nowhere else.
  WHERE seen < degree <= $hubCap
  ORDER BY 1.0 * mass / degree DESC, entity.id
  LIMIT $bridges
  CALL (entity) {
    MATCH (entity)<-[m:MENTIONS]-(c:Chunk)
    WHERE
      $filter IS NULL OR
      EXISTS {
        MATCH (c)<-[:HAS_CHUNK]-(section:Section)<-[:HAS_SECTION]-(d:Document)
        WHERE [d, section, c] = $filter
      }
    WITH
      c,
      sum(m.count +
        CASE m.via
          WHEN 'title' THEN 1000
          ELSE 0
        END) AS weight,
      collect(m) AS mentions
    WITH c.id AS id, weight, mentions
    RETURN id, mentions
    ORDER BY weight DESC, id
    LIMIT $chunksPerEntity
  }
  RETURN id AS chunk, entity, degree, mentions, false AS first
}
UNWIND mentions AS m
WITH
  entity,
  degree,
  collect([
    chunk,
    m.via,
    m.key,
    m.count,
    CASE
      WHEN first THEN m.contextWords
    END
  ]) AS mentions
RETURN entity.id AS entity, entity.name AS name, degree, mentions