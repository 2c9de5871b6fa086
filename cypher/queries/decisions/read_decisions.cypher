// The decisions of a tenant that stand, and the one that is being undone; of the one that is being applied the place it has reached
// params: $tenant STRING
// mode: read
// reader: operators because only writers and workers run it
// allows: NodeByLabelScan because there is one node a decision that is being applied, and none at rest
// returns: id STRING, standing BOOLEAN, place STRING?, kind STRING, forms LIST<STRING>, types LIST<STRING>, meaning STRING?,
//   meaningType STRING?, documents LIST<STRING>, author STRING, authorKind STRING, seen STRING, note STRING, createdAt STRING
CALL () {
  MATCH (d:Decision {tenant: $tenant})
  OPTIONAL MATCH (p:PendingDecision {tenant: $tenant, decision: d.id})
  RETURN d, p
    UNION ALL
  MATCH (p:PendingDecision {tenant: $tenant})
  MATCH (d:UndoneDecision {id: p.decision})
  USING INDEX SEEK d:UndoneDecision(id)
  RETURN d, p
}
RETURN
  d.id AS id,
  d:Decision AS standing,
  p.place AS place,
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
  d.createdAt AS createdAt