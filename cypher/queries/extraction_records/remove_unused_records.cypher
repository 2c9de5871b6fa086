// Remove the extraction records of texts that no chunk has any more
// params: $tenant STRING, $checksums LIST<STRING>
// mode: write
// returns: nothing
UNWIND $checksums AS checksum
MATCH (r:ExtractionRecord {tenant: $tenant, checksum: checksum})
CALL (checksum) {
  OPTIONAL MATCH (c:Chunk {tenant: $tenant, checksum: checksum})
  USING INDEX SEEK c:Chunk(tenant, checksum)
  RETURN c IS NOT NULL AS held
  LIMIT 1
}
WITH r, held
WHERE NOT held
DETACH DELETE r