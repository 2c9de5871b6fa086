// The relations that documents assert, with the number of their facts by confidence
// params: $tenant STRING, $documents LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: document STRING, subject STRING, predicate STRING, object STRING, confidence FLOAT, facts INTEGER
// rows: many
UNWIND $documents AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
MATCH
  (d)-[:HAS_SECTION]->
  (:Section)-[:HAS_CHUNK]->
  (:Chunk)-[:ASSERTS]->
  (f:Fact)-[:SUBJECT]->
  (s:Entity)
MATCH (f)-[:OBJECT]->(o:Entity)
WHERE s <> o
RETURN
  d.id AS document,
  s.id AS subject,
  f.predicate AS predicate,
  o.id AS object,
  coalesce(f.confidence, 0.0) AS confidence,
  count(f) AS facts