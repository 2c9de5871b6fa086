// The facts about an entity, with the sentence and the document of each (:param name => 'Clara Hoffmann')
// params: $tenant STRING, $name STRING
// mode: read
// returns: subject, predicate, object, sentence, document, confidence
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
MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
WITH DISTINCT f
LIMIT 100
MATCH (f)-[:SUBJECT]->(s:Entity)
MATCH
  (d:Document)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(:Chunk)-[:ASSERTS]->(f)
OPTIONAL MATCH (f)-[:OBJECT]->(o:Entity)
RETURN
  s.name AS subject,
  f.predicate AS predicate,
  coalesce(o.name, f.objectText) AS object,
  f.sentence AS sentence,
  d.title AS document,
  f.confidence AS confidence
ORDER BY confidence DESC, subject, predicate