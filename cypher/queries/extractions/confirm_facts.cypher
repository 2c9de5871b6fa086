// Raise the confidence of facts that a model states too
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
USING INDEX SEEK f:Fact(id)
SET
  f.confidence = row.confidence,
  f.ownConfidence = row.own,
  f.confirmedBy = row.by