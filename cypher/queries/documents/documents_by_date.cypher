// A page of documents by date, the newest or the oldest first, equal ones by id
// params: $tenant STRING, $prefix STRING, $tag STRING?, $newest BOOLEAN, $date STRING?, $after STRING, $limit INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: id STRING, source STRING, document MAP?,
//   record {operation STRING, stage STRING, failedStage STRING?, attempt INTEGER, reason STRING?, error STRING?,
//   jobId STRING, mediaType STRING, checksum STRING}?
// note: ``$date`` and ``$after`` are those of the last document of the page before. The date is that of the last change, else of the
//   beginning, else of indexing; as it is one of three, all documents of the tenant are looked at.
MATCH (d:Document {tenant: $tenant})
USING INDEX SEEK d:Document(tenant, sourceUri)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups)) AND
  d.sourceUri STARTS WITH $prefix AND
  ($filter IS NULL OR (d.status = 'ready' AND [d, d, d] = $filter)) AND
  ($tag IS NULL OR
    any(tag IN d.tags WHERE tag = $tag OR tag STARTS WITH $tag + '/'))
WITH d, coalesce(d.modifiedAt, d.createdAt, d.indexedAt) AS date
WHERE
  $date IS NULL OR
  (date = $date AND d.id > $after) OR
  ($newest AND date < $date) OR
  (NOT $newest AND date > $date)
WITH d, date
ORDER BY
CASE
  WHEN $newest THEN date
END DESC,
CASE
  WHEN NOT $newest THEN date
END, d.id
LIMIT $limit
OPTIONAL MATCH (i:IngestionRecord {id: d.id})
USING INDEX SEEK i:IngestionRecord(id)
RETURN
  d.id AS id,
  d.sourceUri AS source,
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
ORDER BY
CASE
  WHEN $newest THEN date
END DESC,
CASE
  WHEN NOT $newest THEN date
END, id