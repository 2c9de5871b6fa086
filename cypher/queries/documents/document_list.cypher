// A page of documents by source, also those on their way or in quarantine
// params: $tenant STRING, $prefix STRING, $tag STRING?, $status STRING, $after STRING, $limit INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: id STRING, source STRING, document MAP?,
//   record {operation STRING, stage STRING, failedStage STRING?, attempt INTEGER, reason STRING?, error STRING?,
//   jobId STRING, mediaType STRING, checksum STRING}?
// note: A document that is not in the graph yet has no properties.
CALL () {
  MATCH (d:Document {tenant: $tenant})
  USING INDEX SEEK d:Document(tenant, sourceUri)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups)) AND
    d.sourceUri > $after AND
    d.sourceUri STARTS WITH $prefix AND
    $status IN ['any', 'ready'] AND
    ($filter IS NULL OR (d.status = 'ready' AND [d, d, d] = $filter)) AND
    ($tag IS NULL OR
      any(tag IN d.tags WHERE tag = $tag OR tag STARTS WITH $tag + '/'))
  RETURN d.id AS id, d.sourceUri AS source
  ORDER BY source
  LIMIT $limit
    UNION
  MATCH (i:IngestionRecord {tenant: $tenant})
  WHERE
    $groups IS NULL AND
    i.stage IS NOT NULL AND
    i.sourceUri > $after AND
    i.sourceUri STARTS WITH $prefix AND
    $tag IS NULL AND
    $filter IS NULL AND
    ($status = 'any' OR
      ($status = 'quarantined' AND i.stage = 'quarantined') OR
      ($status = 'pending' AND i.stage <> 'quarantined'))
  RETURN i.id AS id, i.sourceUri AS source
  ORDER BY source
  LIMIT $limit
}
WITH id, source
ORDER BY source
LIMIT $limit
OPTIONAL MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
OPTIONAL MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
RETURN
  id,
  source,
  properties(d) AS document,
  CASE
    WHEN i IS NULL OR $groups IS NOT NULL THEN null
    ELSE
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
      }
  END AS record
ORDER BY source