// What an entity is related to, by any of its names (:param name => 'Clara Hoffmann')
// params: $tenant STRING, $name STRING
// mode: read
// returns: paths from the entity to its neighbours, those with most facts first
WITH
  reduce(
    text = '',
    sign IN
    split(toLower(normalize($name, NFKD)), '') |
      text +
      CASE
        WHEN sign =~ "\\p{Mn}" THEN ''
        WHEN sign = 'ß' THEN 'ss'
        WHEN sign = 'ς' THEN 'σ'
        WHEN
          sign =~
          "[\\p{L}\\p{N}&&[\\x{3005}-\\x{3007}\\x{3040}-\\x{30FF}\\x{3400}-\\x{9FFF}\\x{F900}-\\x{FAFF}]]"
          THEN ' ' + sign + ' '
        WHEN sign =~ "[\\p{L}\\p{N}']" THEN sign
        WHEN sign = '’' THEN "'"
        ELSE ' '
      END) +
  ' ' AS text
WITH
  [
    word IN split(replace(replace(text, "'s ", ' '), "'", ' '), ' ')
    WHERE word <> ''
  ] AS words
WITH
  CASE
    WHEN size(words) > 1 AND words[0] IN ['the', 'a', 'an'] THEN words[1..]
    ELSE words
  END AS words
WITH trim(reduce(form = '', word IN words | form + ' ' + word)) AS form
MATCH (e:Entity {tenant: $tenant})
WHERE form IN e.keys OR e.name = $name
MATCH path = (e)-[r:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]-(:Entity)
RETURN path
ORDER BY r.weight DESC
LIMIT 40