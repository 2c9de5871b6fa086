// Extraction records of a page whose text no chunk has
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// returns: last STRING?, ids LIST<STRING>
// rows: one
// note: ``last`` is the id of the page's last record, null after the end.
MATCH (r:ExtractionRecord)
USING INDEX SEEK r:ExtractionRecord(id)
WHERE r.id > $after AND r.tenant = $tenant
WITH r
ORDER BY r.id
LIMIT $limit
CALL (r) {
  OPTIONAL MATCH (c:Chunk {tenant: $tenant, checksum: r.checksum})
  USING INDEX SEEK c:Chunk(tenant, checksum)
  RETURN c IS NOT NULL AS held
  LIMIT 1
}
RETURN max(r.id) AS last, collect(
    CASE
      WHEN NOT held THEN r.id
    END) AS ids