// A page of documents by source, also those on their way or in quarantine
// params: $tenant STRING, $prefix STRING, $tag STRING?, $status STRING, $after STRING, $limit INTEGER, $filter MAP?
// mode: read
// reader: filtered
// returns: id STRING, source STRING
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
RETURN id, source
ORDER BY source
LIMIT $limit