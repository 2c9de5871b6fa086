// What stands over some chunks: title and beginning of their document, and the path of their section; with $texts their text, too
// params: $tenant STRING, $ids LIST<STRING>, $texts BOOLEAN
// mode: read
// reader: filtered
// returns: chunk STRING, title STRING, section STRING, created STRING?, text STRING?
// rows: collected
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX SEEK c:Chunk(id)
WHERE c.tenant = $tenant
// From the chunk upwards: see chunks/chunk_payloads.
CALL (c) {
  MATCH (c)<-[:HAS_CHUNK]-(s:Section)<-[:HAS_SECTION]-(d:Document)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN d.title AS title, s.path AS section, d.createdAt AS created
}
RETURN
  c.id AS chunk,
  title,
  section,
  created,
  CASE
    WHEN $texts THEN c.text
  END AS text