// Names that hold all words of a search, the best first by the index
// params: $tenant STRING, $searches LIST<STRING>, $limit INTEGER
// mode: read
// reader: filtered
// returns: search STRING, id STRING, name STRING, type STRING, keys LIST<STRING>?, degree INTEGER, titled BOOLEAN
// note: ``limit`` counts for each search; one row a search and entity. A reader who is restricted to groups gets ids alone, and reads the rest
//   with visibility/visible_evidence.
UNWIND $searches AS search
CALL (search) {
  CALL
    db.index.fulltext.queryNodes(
      'entity_names',
      search
    )
    YIELD node AS e, score
    WHERE
      e.tenant = $tenant AND
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
  RETURN e
  LIMIT $limit
}
RETURN
  search,
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
    WHEN $groups IS NULL THEN e.keys
    ELSE []
  END AS keys,
  CASE
    WHEN
      $groups IS NULL
      THEN COUNT { (e)<-[:MENTIONS]-() } - coalesce(e.agreed, 0)
    ELSE 0
  END AS degree,
  CASE
    WHEN $groups IS NULL THEN EXISTS { (e)<-[:ABOUT {kind: 'title'}]-() }
    ELSE false
  END AS titled