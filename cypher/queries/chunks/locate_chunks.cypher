// Documents of some chunks
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: id STRING, documentId STRING, sourceUri STRING, language STRING
// rows: collected
// note: The language is empty where none was detected or declared.
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
RETURN
  c.id AS id,
  d.id AS documentId,
  d.sourceUri AS sourceUri,
  coalesce(d.language, '') AS language