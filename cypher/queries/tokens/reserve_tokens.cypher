// Reserve tokens of the day's and the job's budget before a call
// params: $tenant STRING, $id STRING, $day STRING, $model STRING, $job STRING, $tokens INTEGER, $perDay INTEGER, $perJob INTEGER
// mode: write
// returns: reserved BOOLEAN, dayLeft INTEGER, jobLeft INTEGER
// rows: optional
// note: What is left before the reservation; no row if there is no such tenant, or if it is being removed. A repetition after a lost
//   connection reserves twice: the budget is then spent early, never late.
MATCH (t:Tenant {tenant: $tenant})
WHERE t.removing IS NULL
MERGE (u:TokenUsage {id: $id})
  ON CREATE SET
    u.tenant = $tenant,
    u.name = $day + ' ' + $model,
    u.day = $day,
    u.model = $model,
    u.tokens = 0,
    u.cost = 0.0,
    u.calls = 0
SET u.lock = true
WITH u
OPTIONAL MATCH (j:Job {id: $job})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
CALL (j) {
  WITH j
  WHERE j IS NOT NULL
  SET j.lock = true
}
WITH
  u,
  j,
  $perDay - u.tokens AS dayLeft,
  $perJob - coalesce(j.llmTokens, 0) AS jobLeft
WITH
  u,
  j,
  dayLeft,
  jobLeft,
  dayLeft >= $tokens AND jobLeft >= $tokens AS reserved
CALL (u, j, reserved) {
  WITH *
  WHERE reserved
  SET
    u.tokens = u.tokens + $tokens,
    j.llmTokens = coalesce(j.llmTokens, 0) + $tokens
}
CALL (u, j) {
  SET u.lock = null
  WITH j
  WHERE j IS NOT NULL
  SET j.lock = null
}
RETURN reserved, dayLeft, jobLeft