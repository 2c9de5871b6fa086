// Entities by the words of their names and aliases, best first
// params: $tenant STRING, $search STRING, $types LIST<STRING>, $limit INTEGER
// mode: read
// reader: filtered
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?, keys LIST<STRING>?, confidence FLOAT, mentions INTEGER
// note: A reader who is restricted to groups gets ids alone, also of what may have one of the types by visible evidence, and reads the rest with
//   visibility/visible_evidence.
CALL
  db.index.fulltext.queryNodes(
    'entity_names',
    $search
  )
  YIELD node AS e, score
  WHERE
    e.tenant = $tenant AND
    (size($types) = 0 OR
      e.type IN $types OR
      ($groups IS NOT NULL AND
        any(line IN e.evidence WHERE split(line, '\t')[1] IN $types))) AND
    ($groups IS NULL OR
      EXISTS {
        MATCH (e)<-[:ABOUT]-(d:Document)
        WHERE
          ($groups IS NULL OR
            d.access IS NULL OR
            any(g IN d.access WHERE g IN $groups))
      } OR
      EXISTS {
        MATCH (e)<-[m:MENTIONS]-(c:Chunk)
        WHERE m.via <> 'linker'
        MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
        WHERE
          ($groups IS NULL OR
            d.access IS NULL OR
            any(g IN d.access WHERE g IN $groups))
      })
WITH e, score
LIMIT $limit
RETURN
  e.id AS id,
  CASE
    WHEN $groups IS NULL THEN e.name
    ELSE ''
  END AS name,
  CASE
    WHEN $groups IS NULL THEN e.type
    ELSE ''
  END AS type,
  CASE
    WHEN $groups IS NULL THEN e.aliases
    ELSE []
  END AS aliases,
  CASE
    WHEN $groups IS NULL THEN e.keys
    ELSE []
  END AS keys,
  CASE
    WHEN $groups IS NULL THEN e.confidence
    ELSE 0.0
  END AS confidence,
  CASE
    WHEN $groups IS NULL THEN COUNT { (e)<-[:MENTIONS]-() }
    ELSE 0
  END AS mentions
ORDER BY score DESC, id