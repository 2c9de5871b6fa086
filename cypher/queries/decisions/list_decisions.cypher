// Decisions of a tenant, the newest first: those that stand and those that were undone
// params: $tenant STRING, $form STRING?, $limit INTEGER
// mode: read
// reader: operators because decisions speak of documents of all groups
// returns: id STRING, kind STRING, forms LIST<STRING>, types LIST<STRING>, meaning STRING?, meaningType STRING?, documents LIST<STRING>,
//   author STRING, authorKind STRING, seen STRING, note STRING, createdAt STRING, undoneAt STRING?, undoneBy STRING?, undoNote STRING?
CALL () {
  MATCH (d:Decision {tenant: $tenant})
  RETURN d
    UNION ALL
  MATCH (d:UndoneDecision {tenant: $tenant})
  RETURN d
}
WITH d
WHERE $form IS NULL OR $form IN d.forms OR d.meaning = $form
ORDER BY coalesce(d.undoneAt, d.createdAt) DESC, d.id
LIMIT $limit
RETURN
  coalesce(d.decision, d.id) AS id,
  d.kind AS kind,
  d.forms AS forms,
  d.types AS types,
  d.meaning AS meaning,
  d.meaningType AS meaningType,
  d.documents AS documents,
  d.author AS author,
  d.authorKind AS authorKind,
  d.seen AS seen,
  d.note AS note,
  d.createdAt AS createdAt,
  d.undoneAt AS undoneAt,
  d.undoneBy AS undoneBy,
  d.undoNote AS undoNote