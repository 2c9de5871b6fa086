// Evidence of some entities in the documents that a reader may see, and how many mentions those hold
// params: $tenant STRING, $ids LIST<STRING>
// mode: read
// reader: filtered
// returns: id STRING, evidence LIST<STRING>, mentions INTEGER, chunks INTEGER, documents INTEGER, titled BOOLEAN
// note: Entities without such evidence are left out. What linking found is not counted, because it depends on the names in all documents.
//   ``chunks`` and ``documents`` are those of the mentions; ``titled``: one of these documents is about the entity.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)<-[m:MENTIONS]-(c)
  WHERE m.via <> 'linker'
  // A document is looked at once, however often it mentions the entity.
  WITH c.documentId AS document, collect(m) AS held, count(DISTINCT c) AS chunks
  MATCH (d:Document {id: document})
  USING INDEX SEEK d:Document(id)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  WITH
    collect(held) AS kept,
    coalesce(sum(chunks), 0) AS chunks,
    count(d) AS documents
  CALL (kept) {
    UNWIND kept AS held
    UNWIND held AS m
    WITH m.evidence AS lines, m.origin AS origin, count(*) AS times
    RETURN
      coalesce(sum(times), 0) AS mentions,
      collect({lines: coalesce(lines, []), origin: origin, times: times}) AS mentioned
  }
  RETURN mentions, mentioned, chunks, documents
}
CALL (e) {
  MATCH (e)<-[a:ABOUT]-(d:Document)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN
    collect({lines: coalesce(a.evidence, []), origin: a.origin, times: 1}) AS subjects,
    count(
      CASE a.kind
        WHEN 'title' THEN a
      END) > 0 AS titled
}
CALL (mentioned, subjects) {
  UNWIND mentioned + subjects AS part
  UNWIND part.lines AS line
  WITH split(line, '\t') AS parts, part.origin AS origin, part.times AS times
  WITH
    parts[0] + '\t' + parts[1] + '\t' + parts[2] + coalesce('\t' + origin, '') AS reason,
    sum(toInteger(parts[3]) * times) AS count
  RETURN collect(reason + '\t' + toString(count)) AS evidence
}
WITH id, evidence, mentions, chunks, documents, titled
WHERE size(evidence) > 0
RETURN id, evidence, mentions, chunks, documents, titled