// What lists show of some documents, also of those on their way or in quarantine
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: id STRING, source STRING, document MAP?,
//   record {operation STRING, stage STRING, failedStage STRING?, attempt INTEGER, reason STRING?, error STRING?,
//   jobId STRING, mediaType STRING, checksum STRING}?
// note: A document that is not in the graph yet has no properties.
UNWIND $ids AS id
OPTIONAL MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
WHERE
  d.tenant = $tenant AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
OPTIONAL MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
WHERE i.tenant = $tenant AND $groups IS NULL
WITH id, d, i
WHERE d IS NOT NULL OR i IS NOT NULL
RETURN
  id,
  coalesce(d.sourceUri, i.sourceUri) AS source,
  properties(d) AS document,
  i {
    .operation,
    .stage,
    .failedStage,
    .attempt,
    .reason,
    .error,
    .jobId,
    .mediaType,
    .checksum
  } AS record