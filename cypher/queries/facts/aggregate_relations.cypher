// Add to (or subtract from) the relations that facts aggregate into; those without a fact go
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
// note: A row has ``subject``, ``object``, ``type``, ``predicate``, ``documents`` and ``evidence``: lines of a confidence and by how many facts of
//   it the relation grows, of which weight and confidence are made.
UNWIND $rows AS row
WITH row.subject AS subject, row.object AS object, collect(row) AS changes
MATCH (s:Entity {id: subject})
USING INDEX SEEK s:Entity(id)
MATCH (o:Entity {id: object})
USING INDEX SEEK o:Entity(id)
// Between two names with many relations, one look for all of them: a MERGE for each would look at every one each time.
WITH
  s,
  o,
  changes,
  COLLECT {
    MATCH (s)-[r:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]->(o)
    RETURN r
  } AS held
UNWIND changes AS change
WITH s, o, change, head([r IN held WHERE r.predicate = change.predicate]) AS r
WITH
  s,
  o,
  change,
  r,
  COLLECT {
    UNWIND coalesce(r.evidence, []) + change.evidence AS line
    WITH split(line, '\t') AS parts
    WITH parts[0] AS confidence, sum(toInteger(parts[1])) AS count
    WHERE count > 0
    RETURN confidence + '\t' + toString(count)
    ORDER
    BY
    confidence
  } AS evidence
WITH
  s,
  o,
  change,
  r,
  {
    predicate: change.predicate,
    evidence: evidence,
    weight:
      reduce(
        sum = 0, line IN evidence | sum + toInteger(split(line, '\t')[1])),
    confidence: toFloat(split(last(evidence), '\t')[0]),
    documents: coalesce(r.documents, 0) + change.documents
  } AS state
CALL (s, o, change, r, state) {
  WITH *
  WHERE r IS NULL AND state.weight > 0
  CREATE (s)-[n:$(change.type)]->(o)
  SET n = state
}
CALL (r, state) {
  WITH *
  WHERE r IS NOT NULL AND state.weight > 0
  SET r = state
}
WITH r, state
WHERE r IS NOT NULL AND state.weight = 0
DELETE r