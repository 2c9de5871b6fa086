// Tokens that language models took for extraction, by day and model, the latest day first
// params: $tenant STRING?, $since STRING
// mode: read
// reader: operators because it is about money, not documents
// allows: AnyTenant NodeByLabelScan because the metrics are those of all tenants, and there is one node a day and model
// returns: day STRING, model STRING, tokens INTEGER, cost FLOAT, calls INTEGER
// rows: many
MATCH (u:TokenUsage)
WHERE u.day >= $since AND ($tenant IS NULL OR u.tenant = $tenant)
RETURN
  u.day AS day,
  u.model AS model,
  sum(u.tokens) AS tokens,
  sum(u.cost) AS cost,
  sum(u.calls) AS calls
ORDER BY day DESC, model