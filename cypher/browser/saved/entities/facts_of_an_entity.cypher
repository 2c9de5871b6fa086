// The facts about an entity, with the sentence and the document of each (:param name => 'Clara Hoffmann')
// params: $tenant STRING, $name STRING
// mode: read
// returns: subject, predicate, object, sentence, document, confidence
MATCH
  (e:Entity {tenant: $tenant, key: toLower($name)})<-[:SUBJECT|OBJECT]-(f:Fact)
WITH DISTINCT f
LIMIT 100
MATCH (f)-[:SUBJECT]->(s:Entity)
MATCH
  (d:Document)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(:Chunk)-[:ASSERTS]->(f)
OPTIONAL MATCH (f)-[:OBJECT]->(o:Entity)
RETURN
  s.name AS subject,
  f.predicate AS predicate,
  o.name AS object,
  f.sentence AS sentence,
  d.title AS document,
  f.confidence AS confidence
ORDER BY confidence DESC, subject, predicate