// Generated texts for which a language model read some chunks
// params: $tenant STRING, $chunks LIST<STRING>
// mode: read
// reader: operators because only writers run it
// returns: id STRING
UNWIND $chunks AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
MATCH (c)<-[:READS]-(t:GeneratedText)
RETURN DISTINCT t.id AS id
ORDER BY id