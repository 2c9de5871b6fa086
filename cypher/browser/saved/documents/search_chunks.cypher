// Chunks that hold all of some words, best first (:param words => 'orbit lens')
// params: $tenant STRING, $words STRING
// mode: read
// returns: document, section, chunk, score
WITH
  reduce(
    text = '',
    sign IN
    split(toLower(normalize($words, NFKD)), '') |
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
  reduce(
    search = '+tenant:"' + $tenant + '"',
    word IN words | search + ' +terms:"' + word + '"') AS search,
  words
WHERE size(words) > 0
CALL
  db.index.fulltext.queryNodes(
    'chunk_terms',
    search
  )
  YIELD node AS c, score
  WHERE c.tenant = $tenant
WITH c, score
LIMIT 25
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c)
RETURN d.title AS document, s.path AS section, c.text AS chunk, score
ORDER BY score DESC