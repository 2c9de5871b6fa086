// Entities by words of any of their names (:param name => 'Hoffmann')
// params: $tenant STRING, $name STRING
// mode: read
// returns: the entity nodes, those that have exactly this name first
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
  words,
  CASE
    WHEN size(words) > 1 AND words[0] IN ['the', 'a', 'an'] THEN words[1..]
    ELSE words
  END AS named,
  '"' + replace(replace($name, '"', ' '), '\\', ' ') + '"' AS phrase
WITH
  trim(reduce(form = '', word IN named | form + ' ' + word)) AS form,
  reduce(
    clause = phrase + '^8', word IN words | clause + ' "' + word + '"') AS clause
WITH
  form,
  '+tenant:"' + $tenant + '" +(name:(' + clause + ') aliases:(' + clause + '))' AS search
CALL
  db.index.fulltext.queryNodes(
    'entity_names',
    search
  )
  YIELD node AS e, score
  WHERE e.tenant = $tenant
RETURN e
ORDER BY form IN e.keys DESC, score DESC
LIMIT 25