// Remove those of some extraction records whose text no chunk has
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (r:ExtractionRecord {id: id})
USING INDEX SEEK r:ExtractionRecord(id)
WHERE r.tenant = $tenant
CALL (r) {
  OPTIONAL MATCH (c:Chunk {tenant: $tenant, checksum: r.checksum})
  USING INDEX SEEK c:Chunk(tenant, checksum)
  RETURN c IS NOT NULL AS held
  LIMIT 1
}
WITH r, held
WHERE NOT held
DETACH DELETE r