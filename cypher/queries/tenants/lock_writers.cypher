// Keep writers of a tenant's documents waiting until the transaction ends
// params: $tenant STRING
// mode: write
// returns: version INTEGER, revision STRING?
// rows: optional
// note: ``version`` is the gazetteer's; no row if there is no such tenant. ``revision`` is that of its documents, as in
//   gazetteer/gazetteer_version.
MATCH (r:Tenant {tenant: $tenant})
SET r.lock = true
RETURN
  CASE
    WHEN r.restoring OR r.removing IS NOT NULL THEN null
    ELSE r.epoch + ':' + toString(r.version)
  END AS revision,
  r.version AS version