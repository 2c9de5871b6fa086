// What was decided about entities and undone again, the newest first
// params: $tenant STRING
// mode: read
// returns: kind STRING, names STRING, author STRING, at STRING, undoneBy STRING, undoneAt STRING, why STRING
MATCH (d:UndoneDecision {tenant: $tenant})
RETURN
  d.kind AS kind,
  d.name AS names,
  d.author AS author,
  d.createdAt AS at,
  d.undoneBy AS undoneBy,
  d.undoneAt AS undoneAt,
  d.undoNote AS why
ORDER BY undoneAt DESC
LIMIT 100