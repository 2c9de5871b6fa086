// Documents by source or path prefix or as an atom, or all; also those still on their way
// params: $tenant STRING, $prefix STRING?, $atom STRING?
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, sourceUri STRING
// rows: many
CALL () {
  MATCH (d:Document {tenant: $tenant})
  WHERE
    $prefix IS NULL OR
    d.sourceUri STARTS WITH $prefix OR
    d.`metadata.atlas_id` = $atom
  RETURN d.id AS id, d.sourceUri AS sourceUri
    UNION
  MATCH (i:IngestionRecord {tenant: $tenant})
  WHERE
    i.stage IS NOT NULL AND ($prefix IS NULL OR i.sourceUri STARTS WITH $prefix)
  RETURN i.id AS id, i.sourceUri AS sourceUri
}
RETURN id, sourceUri
ORDER BY id