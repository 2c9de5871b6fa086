// Which of some generated texts there are, and which of them a model is asked for again
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only workers run it
// returns: id STRING, attempts INTEGER, waitMs INTEGER?, fault STRING
// note: ``waitMs`` is null unless the answer could not be used and is asked for again, after so many milliseconds; ``fault`` is why.
UNWIND $ids AS id
MATCH (t:GeneratedText {id: id})
USING INDEX SEEK t:GeneratedText(id)
WHERE t.tenant = $tenant
RETURN
  t.id AS id,
  coalesce(t.attempts, 0) AS attempts,
  t.retryAt - timestamp() AS waitMs,
  coalesce(t.fault, '') AS fault
ORDER BY id