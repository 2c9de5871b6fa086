// Entities a name of which has these initials, small words aside
// params: $tenant STRING, $search STRING, $initials STRING, $small LIST<STRING>, $candidates INTEGER, $limit INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?, keys LIST<STRING>?, confidence FLOAT, mentions INTEGER
// note: At most ``most`` entities whose names have words with these initials, in any order, are looked at.
CALL
  db.index.fulltext.queryNodes(
    'entity_names',
    $search,
    {limit: $candidates}
  )
  YIELD node AS e
  WHERE
    e.tenant = $tenant AND
    any(
      key IN e.keys
      WHERE
        reduce(
          letters = '',
          word IN
          split(key, ' ') |
            letters +
            CASE
              WHEN word IN $small THEN ''
              ELSE left(word, 1)
            END) =
        $initials AND
        key <> $initials
    )
RETURN
  e.id AS id,
  e.name AS name,
  e.type AS type,
  e.aliases AS aliases,
  e.keys AS keys,
  e.confidence AS confidence,
  COUNT { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY mentions DESC, id
LIMIT $limit