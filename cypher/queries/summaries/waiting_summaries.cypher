// Whether summaries and descriptions wait to be written, and why
// params: $tenant STRING, $key STRING
// mode: read
// reader: operators because it tells of documents of all groups
// returns: reason STRING?, left INTEGER?, dueAt INTEGER
// rows: optional
// note: ``reason`` is why the last pass ended early and ``left`` what it left; ``dueAt`` is in milliseconds since 1970, 0 for now.
MATCH (r:Tenant {tenant: $tenant})
WHERE
  r.communitiesVersion >= 0 AND
  (coalesce(r.summariesVersion, -1) <> r.communitiesVersion OR
    coalesce(r.summariesKey, '') <> $key)
RETURN
  r.summariesReason AS reason,
  r.summariesLeft AS left,
  coalesce(r.summariesDueAt, 0) AS dueAt