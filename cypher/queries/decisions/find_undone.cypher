// Whether a decision was undone under an id
// params: $tenant STRING, $id STRING
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING
// rows: optional
MATCH (d:UndoneDecision {id: $id})
USING INDEX SEEK d:UndoneDecision(id)
WHERE d.tenant = $tenant
RETURN d.id AS id