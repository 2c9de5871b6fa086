// How two entities are connected, by any of their names (:param name: 'Clara Hoffmann', other: 'Plover')
// params: $tenant STRING, $name STRING, $other STRING
// mode: read
// returns: the shortest paths of at most four steps
UNWIND [$name, $other] AS asked
WITH
  asked,
  reduce(
    text = '',
    sign IN
    split(toLower(normalize(asked, NFKD)), '') |
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
  asked,
  [
    word IN split(replace(replace(text, "'s ", ' '), "'", ' '), ' ')
    WHERE word <> ''
  ] AS words
WITH
  asked,
  CASE
    WHEN size(words) > 1 AND words[0] IN ['the', 'a', 'an'] THEN words[1..]
    ELSE words
  END AS words
WITH asked, trim(reduce(form = '', word IN words | form + ' ' + word)) AS form
MATCH (e:Entity {tenant: $tenant})
WHERE form IN e.keys OR e.name = asked
WITH
  collect(
    CASE asked
      WHEN $name THEN e
    END) AS starts,
  collect(
    CASE asked
      WHEN $other THEN e
    END) AS ends
UNWIND starts AS a
UNWIND ends AS b
WITH a, b
WHERE a <> b
MATCH
  path =
    ALLSHORTESTPATHS
    (
    (a)-[:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES*..4]-
    (b))
RETURN path
LIMIT 20