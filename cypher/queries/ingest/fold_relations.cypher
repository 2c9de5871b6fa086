// Add to (or subtract from) the relations that facts fold into; those without a fact go
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (s:Entity {id: row.subject})
MATCH (o:Entity {id: row.object})
MERGE (s)-[r:$(row.predicate)]->(o)
SET
  r.fact = true,
  r.weight = coalesce(r.weight, 0) + row.weight,
  r.documents = coalesce(r.documents, 0) + row.documents
WITH r
WHERE r.weight <= 0
DELETE r