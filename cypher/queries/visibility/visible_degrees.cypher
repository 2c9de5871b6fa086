// Number of mentions of some entities in the documents that a reader may see, counted no further than needed
// params: $tenant STRING, $ids LIST<STRING>, $maxDegree INTEGER
// mode: read
// reader: filtered
// returns: id STRING, degree INTEGER
// note: Without mentions that linking found, and those of a model where others name it too; at most ``most`` are counted.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)<-[m:MENTIONS]-(c)
  WHERE
    m.via <> 'linker' AND
    (m.via <> 'llm' OR
      none(line IN m.evidence WHERE line STARTS WITH 'agreed\t'))
  MATCH (d:Document {id: c.documentId})
  USING INDEX SEEK d:Document(id)
  WHERE
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  WITH m
  LIMIT $maxDegree
  RETURN count(m) AS degree
}
RETURN id, degree