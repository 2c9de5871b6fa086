// Documents by id; also those still on their way
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING, sourceUri STRING
// rows: many
UNWIND $ids AS wanted
CALL (wanted) {
  MATCH (d:Document {id: wanted})
  USING INDEX SEEK d:Document(id)
  WHERE d.tenant = $tenant
  RETURN d.id AS id, d.sourceUri AS sourceUri
    UNION
  MATCH (i:IngestionRecord {id: wanted})
  USING INDEX SEEK i:IngestionRecord(id)
  WHERE i.tenant = $tenant
  RETURN i.id AS id, i.sourceUri AS sourceUri
}
RETURN DISTINCT id, sourceUri
ORDER BY id