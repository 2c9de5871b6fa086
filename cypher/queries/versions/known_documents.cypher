// Sources and checksums of documents that the graph holds
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, source STRING, file STRING?, checksum STRING, fingerprint STRING, sent STRING?
// rows: many
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE d.tenant = $tenant
RETURN
  d.id AS id,
  d.sourceUri AS source,
  d.file AS file,
  d.checksum AS checksum,
  d.fingerprint AS fingerprint,
  d.sent AS sent