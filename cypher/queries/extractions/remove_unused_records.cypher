// Remove the extraction records of texts that no chunk has any more
// params: $tenant STRING, $checksums LIST<STRING>
// mode: write
// returns: nothing
UNWIND $checksums AS checksum
MATCH (r:ExtractionRecord {tenant: $tenant, checksum: checksum})
WHERE
  NOT EXISTS {
    MATCH (c:Chunk {tenant: $tenant, checksum: checksum})
    USING
    INDEX
    SEEK
    c:
    Chunk
    (
    tenant,
    checksum)
  }
DETACH DELETE r