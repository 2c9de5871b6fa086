// Documents that wait for a model, by the reason why
// params: $tenant STRING
// mode: read
// reader: operators because it counts documents of all groups
// returns: reason STRING?, documents INTEGER, chunks INTEGER, dueAt INTEGER
// rows: many
// note: ``dueAt`` is the earliest time at which one of them goes on, in milliseconds since 1970.
MATCH (p:PendingExtraction {tenant: $tenant})
WHERE p.dueAt IS NOT NULL
RETURN
  p.reason AS reason,
  count(p) AS documents,
  sum(p.chunks) AS chunks,
  min(p.dueAt) AS dueAt
ORDER BY documents DESC, reason