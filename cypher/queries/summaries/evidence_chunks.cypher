// Chunks as a language model reads them
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only workers run it
// returns: id STRING, text STRING, checksum STRING, document STRING, title STRING, sourceUri STRING
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
RETURN
  c.id AS id,
  c.text AS text,
  c.checksum AS checksum,
  d.id AS document,
  d.title AS title,
  d.sourceUri AS sourceUri
ORDER BY id