// Version of a tenant's gazetteer, revision of its documents, number of its chunks, and embedding models
// params: $tenant STRING
// mode: read
// reader: anyone because it tells of no document
// returns: version INTEGER, revision STRING?, chunks INTEGER, models LIST<STRING>, model STRING?
// rows: optional
// note: Every chunk has vectors of the ``models``; ``model`` is the one chosen for questions. The ``revision``
//   changes with every write and never comes again; it is null while a backup is being restored or the tenant removed.
MATCH (r:Tenant {tenant: $tenant})
RETURN
  r.version AS version,
  CASE
    WHEN r.restoring OR r.removing IS NOT NULL THEN null
    ELSE r.epoch + ':' + toString(r.version)
  END AS revision,
  coalesce(r.chunks, 0) AS chunks,
  coalesce(r.vectorModels, []) AS models,
  r.vectorModel AS model