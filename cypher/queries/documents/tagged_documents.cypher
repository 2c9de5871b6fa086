// Documents that carry some tags, or tags below them: tags of more documents than the cap are not read
// params: $tenant STRING, $tags LIST<STRING>, $asked INTEGER, $below BOOLEAN, $tagCap INTEGER, $limit INTEGER, $documents LIST<STRING>?
// mode: read
// returns: document STRING, score FLOAT
// note: The score is the share of the ``asked`` words that tags have, at most 1; ``documents`` null lets all through.
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
WHERE COUNT { (t)<-[:TAGGED]-() } <= $tagCap
MATCH (t)<-[:TAGGED]-(d:Document)
WHERE $documents IS NULL OR d.id IN $documents
WITH d, count(DISTINCT wanted) AS matched
RETURN
  d.id AS document,
  CASE
    WHEN matched < $asked THEN toFloat(matched) / $asked
    ELSE 1.0
  END AS score
ORDER BY score DESC, document
LIMIT $limit