// Make a decision an undone one, which changes nothing any more
// params: $tenant STRING, $id STRING, $undone STRING, $by STRING, $note STRING, $at STRING
// mode: write
// returns: id STRING
// rows: optional
// note: No row if no such decision stands.
MATCH (d:Decision {id: $id})
USING INDEX SEEK d:Decision(id)
WHERE d.tenant = $tenant
REMOVE d :Decision
SET
  d :UndoneDecision,
  d.id = $undone,
  d.decision = $id,
  d.undoneBy = $by,
  d.undoNote = $note,
  d.undoneAt = $at
RETURN d.id AS id