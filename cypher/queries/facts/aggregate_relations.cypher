// Add to (or subtract from) the relations that facts aggregate into; those without a fact go
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
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
    MATCH (s)-[r {fact: true}]->(o)
    RETURN r
  } AS held
UNWIND changes AS change
WITH s, o, change, head([r IN held WHERE type(r) = change.predicate]) AS r
CALL (s, o, change, r) {
  WITH *
  WHERE r IS NULL AND change.weight > 0
  CREATE (s)-[n:$(change.predicate)]->(o)
  SET n.fact = true, n.weight = change.weight, n.documents = change.documents
}
WITH change, r
WHERE r IS NOT NULL
SET
  r.weight = r.weight + change.weight,
  r.documents = r.documents + change.documents
WITH r
WHERE r.weight <= 0
DELETE r