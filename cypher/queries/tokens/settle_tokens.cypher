// Replace a reservation by what a call took
// params: $tenant STRING, $id STRING, $job STRING, $reserved INTEGER, $tokens INTEGER, $cost FLOAT, $calls INTEGER
// mode: write
// returns: nothing
MATCH (u:TokenUsage {id: $id})
USING INDEX SEEK u:TokenUsage(id)
WHERE u.tenant = $tenant
SET
  u.tokens = u.tokens - $reserved + $tokens,
  u.cost = u.cost + $cost,
  u.calls = u.calls + $calls
WITH 1 AS done
MATCH (j:Job {id: $job})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
SET
  j.llmTokens = coalesce(j.llmTokens, 0) - $reserved + $tokens,
  j.llmCost = coalesce(j.llmCost, 0.0) + $cost