// Documents by id, by source or path prefix, or all; also those still on their way
// params: $tenant STRING, $ids LIST<STRING>, $prefix STRING, $everything BOOLEAN
// mode: read
// returns: id, sourceUri
CALL () {
  MATCH (d:Document {tenant: $tenant})
  WHERE
    $everything OR
    d.id IN $ids OR
    d.sourceUri = $prefix OR
    d.sourceUri STARTS WITH $prefix
  RETURN d.id AS id, d.sourceUri AS sourceUri
    UNION
  MATCH (i:IngestionRecord {tenant: $tenant})
  WHERE
    i.stage IS NOT NULL AND
    ($everything OR
      i.id IN $ids OR
      i.sourceUri = $prefix OR
      i.sourceUri STARTS WITH $prefix)
  RETURN i.id AS id, i.sourceUri AS sourceUri
}
RETURN id, sourceUri
ORDER BY id