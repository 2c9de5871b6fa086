// Write what a language model wrote about an entity or a community
// params: $tenant STRING, $id STRING, $properties MAP
// mode: write
// returns: nothing
MERGE (t:GeneratedText {id: $id})
SET t = $properties, t.id = $id, t.tenant = $tenant