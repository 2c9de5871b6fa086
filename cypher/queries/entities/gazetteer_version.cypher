// Version of a tenant's gazetteer, number of its chunks, and embedding models
// params: $tenant STRING
// mode: read
// reader: anyone because it tells of no document
// returns: version INTEGER, chunks INTEGER, models LIST<STRING>, model STRING?
// rows: optional
// note: Every chunk has vectors of the ``models``; ``model`` is the one chosen for questions.
MATCH (r:Tenant {tenant: $tenant})
RETURN
  r.version AS version,
  coalesce(r.chunks, 0) AS chunks,
  coalesce(r.vectorModels, []) AS models,
  r.vectorModel AS model