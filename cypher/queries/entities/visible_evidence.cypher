// Evidence of some entities in the documents that a reader may see, and how many mentions those hold
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: id STRING, evidence LIST<STRING>, mentions INTEGER, titled BOOLEAN
// note: Entities without such evidence are left out. What linking found is not counted, because it depends on the names in all documents.
//   ``titled``: one of those documents is about the entity.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)<-[m:MENTIONS]-(c:Chunk)
  WHERE m.via <> 'linker'
  MATCH (d:Document {id: c.documentId})
  USING INDEX SEEK d:Document(id)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN
    count(m) AS mentions,
    collect({lines: coalesce(m.evidence, []), origin: m.origin}) AS mentioned
}
CALL (e) {
  MATCH (e)<-[a:ABOUT]-(d:Document)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN
    collect({lines: coalesce(a.evidence, []), origin: a.origin}) AS subjects,
    count(
      CASE a.kind
        WHEN 'title' THEN a
      END) > 0 AS titled
}
CALL (mentioned, subjects) {
  UNWIND mentioned + subjects AS part
  UNWIND part.lines AS line
  WITH split(line, '\t') AS parts, part.origin AS origin
  WITH
    parts[0] + '\t' + parts[1] + '\t' + parts[2] + coalesce('\t' + origin, '') AS reason,
    sum(toInteger(parts[3])) AS count
  RETURN collect(reason + '\t' + toString(count)) AS evidence
}
WITH id, evidence, mentions, titled
WHERE size(evidence) > 0
RETURN id, evidence, mentions, titled