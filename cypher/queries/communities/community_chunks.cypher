// Chunks that mention the most, and the most central, members of some communities: bounded at every step
// params: $tenant STRING, $ids LIST<STRING>, $members INTEGER, $chunksPerEntity INTEGER, $hubCap INTEGER, $limit INTEGER, $filter MAP?
// mode: read
// reader: operators because communities are made from documents of all groups
// returns: community STRING, chunk STRING, score FLOAT, names INTEGER
// rows: collected
// note: The score is the share of the community's central members, weighed by rank, that the chunk mentions.
UNWIND $ids AS id
MATCH (k:Community {id: id})
USING INDEX SEEK k:Community(id)
WHERE k.tenant = $tenant
CALL (k) {
  UNWIND range(0, $members - 1) AS rank
  MATCH (e:Entity {id: k.central[rank]})
  USING INDEX SEEK e:Entity(id)
  CALL (e) {
    WITH e
    WHERE COUNT { (e)<-[:MENTIONS]-() } - coalesce(e.agreed, 0) <= $hubCap
    MATCH (e)<-[m:MENTIONS]-(c:Chunk)
    WHERE
      $filter IS NULL OR
      EXISTS {
        MATCH (c)<-[:HAS_CHUNK]-(section:Section)<-[:HAS_SECTION]-(d:Document)
        WHERE [d, section, c] = $filter
      }
    WITH c, sum(m.count) AS count
    // Not earlier, lest the plan of an empty graph seek all chunks of the tenant for each name.
    WHERE c.tenant = $tenant
    RETURN c
    ORDER BY count DESC, c.id
    LIMIT $chunksPerEntity
  }
  WITH c, count(*) AS names, sum(1.0 / (1 + rank)) AS weight
  RETURN c, names, weight
  ORDER BY weight DESC, names DESC, c.id
  LIMIT $limit
}
WITH
  k,
  c,
  names,
  weight / reduce(total = 0.0, rank IN range(1, $members) | total + 1.0 / rank) AS score
RETURN k.id AS community, c.id AS chunk, score, names
ORDER BY score DESC, chunk