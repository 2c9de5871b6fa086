// Which of some generated texts there are
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only workers run it
// returns: id STRING
UNWIND $ids AS id
MATCH (t:GeneratedText {id: id})
USING INDEX SEEK t:GeneratedText(id)
WHERE t.tenant = $tenant
RETURN t.id AS id
ORDER BY id