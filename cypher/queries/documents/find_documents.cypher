// Documents by a prefix of their source, as an atom, by a file or folder of this machine, or all; also those still on their way
// params: $tenant STRING, $prefix STRING?, $atom STRING?, $file STRING?
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, sourceUri STRING
// rows: many
CALL () {
  MATCH (d:Document {tenant: $tenant})
  WHERE
    ($prefix IS NULL AND $file IS NULL) OR
    (d.sourceUri STARTS WITH $prefix AND ($file IS NULL OR d.file IS NULL)) OR
    d.`metadata.atlas_id` = $atom OR
    d.file = $file OR
    d.file STARTS WITH $file + '/'
  RETURN d.id AS id, d.sourceUri AS sourceUri
    UNION
  MATCH (i:IngestionRecord {tenant: $tenant})
  WHERE
    i.stage IS NOT NULL AND
    (($prefix IS NULL AND $file IS NULL) OR
      (i.sourceUri STARTS WITH $prefix AND ($file IS NULL OR i.file IS NULL)) OR
      i.file = $file OR
      i.file STARTS WITH $file + '/')
  RETURN i.id AS id, i.sourceUri AS sourceUri
}
RETURN id, sourceUri
ORDER BY id