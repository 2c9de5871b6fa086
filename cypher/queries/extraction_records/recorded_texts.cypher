// Digests of the texts of some chunks about which a model was asked
// params: $tenant STRING, $chunks LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: checksum STRING
// rows: many
UNWIND $chunks AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
WITH DISTINCT c.checksum AS checksum
WHERE
  EXISTS {
    MATCH (r:ExtractionRecord {tenant: $tenant, checksum: checksum})
  }
RETURN checksum
ORDER BY checksum