// Documents that carry some tags, or tags below them: tags of more documents than the cap are not read
// params: $tenant STRING, $tags LIST<STRING>, $asked INTEGER, $below BOOLEAN, $tagCap INTEGER, $limit INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: document STRING, score FLOAT
// note: The score is the share of the ``asked`` words that tags have, at most 1; a filter on chunks lets all documents through.
// A tenant without tags is not asked for each of them.
MATCH (some:Tag {tenant: $tenant})
WHERE some.name IS NOT NULL
WITH some
LIMIT 1
UNWIND $tags AS wanted
CALL (wanted) {
  MATCH (t:Tag {tenant: $tenant, name: wanted})
  RETURN t
    UNION
  WITH wanted
  WHERE $below
  MATCH (t:Tag {tenant: $tenant})
  WHERE t.name STARTS WITH wanted + '/'
  RETURN t
}
WITH wanted, t
WHERE
  CASE
    WHEN $groups IS NULL THEN COUNT { (t)<-[:TAGGED]-() }
    ELSE
      COUNT {
        MATCH (t)<-[:TAGGED]-(other:Document)
        WHERE
          ($groups IS NULL OR
            other.access IS NULL OR
            any(g IN other.access WHERE g IN $groups))
      }
  END <=
  $tagCap
MATCH (t)<-[:TAGGED]-(d:Document)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups)) AND
  ($filter IS NULL OR $filter.chunks OR [d, d, d] = $filter)
WITH d, count(DISTINCT wanted) AS matched
RETURN
  d.id AS document,
  CASE
    WHEN matched < $asked THEN toFloat(matched) / $asked
    ELSE 1.0
  END AS score
ORDER BY score DESC, document
LIMIT $limit