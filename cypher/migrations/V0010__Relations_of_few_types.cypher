// A type of relationship a verb becomes a property: relations are made again from the facts beneath them. For graphs of before the first release
MATCH (:Entity)-[r]->(:Entity)
WHERE r.fact IS NOT NULL
DELETE r;

MATCH (c:Chunk)-[:ASSERTS]->(f:Fact)-[:SUBJECT]->(s:Entity)
MATCH (f)-[:OBJECT]->(o:Entity)
WHERE s <> o
WITH
  s,
  o,
  f.predicate AS predicate,
  count(*) AS weight,
  count(DISTINCT c.documentId) AS documents,
  collect(left(toString(round(f.confidence, 2)) + '00', 4)) AS levels
WITH
  s,
  o,
  predicate,
  CASE
    WHEN
      predicate IN ['CONTAINS', 'DOCUMENTED_IN', 'RELATED_TO', 'USES']
      THEN predicate
    ELSE 'RELATES_TO'
  END AS type,
  weight,
  documents,
  COLLECT {
    UNWIND levels AS level
    WITH level, count(*) AS facts
    RETURN level + '\t' + toString(facts)
    ORDER
    BY
    level
  } AS evidence
CREATE (s)-[r:$(type)]->(o)
SET
  r.predicate = predicate,
  r.evidence = evidence,
  r.weight = weight,
  r.confidence = toFloat(split(last(evidence), '\t')[0]),
  r.documents = documents;