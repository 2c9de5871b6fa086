// Write what a language model wrote about an entity or a community
// params: $tenant STRING, $id STRING, $properties MAP, $retryMs INTEGER?
// mode: write
// returns: nothing
// note: ``retryMs``: after how many milliseconds it is asked for again; null if it is not.
MERGE (t:GeneratedText {id: $id})
SET
  t = $properties,
  t.id = $id,
  t.tenant = $tenant,
  t.retryAt = timestamp() + $retryMs