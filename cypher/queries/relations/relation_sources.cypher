// The surest sentences of relations, and the documents they come from
// params: $tenant STRING, $rows LIST<MAP>, $sources INTEGER
// mode: read
// reader: filtered
// returns: number INTEGER, sentence STRING, documents LIST<{id STRING, title STRING, sourceUri STRING}>
// note: Each row has ``number``, ``subject``, ``predicate`` and ``object``. Facts are read from the end that has fewer.
UNWIND $rows AS row
MATCH (s:Entity {id: row.subject})
USING INDEX SEEK s:Entity(id)
WHERE s.tenant = $tenant
MATCH (o:Entity {id: row.object})
USING INDEX SEEK o:Entity(id)
WHERE o.tenant = $tenant
CALL (s, o, row) {
  WITH s, o, row
  WHERE COUNT { (s)<-[:SUBJECT]-() } <= COUNT { (o)<-[:OBJECT]-() }
  MATCH (s)<-[:SUBJECT]-(f:Fact)
  WHERE f.predicate = row.predicate AND EXISTS { (f)-[:OBJECT]->(o) }
  RETURN f
    UNION
  WITH s, o, row
  WHERE COUNT { (s)<-[:SUBJECT]-() } > COUNT { (o)<-[:OBJECT]-() }
  MATCH (o)<-[:OBJECT]-(f:Fact)
  WHERE f.predicate = row.predicate AND EXISTS { (f)-[:SUBJECT]->(s) }
  RETURN f
}
MATCH (c:Chunk)-[:ASSERTS]->(f)
MATCH (d:Document {id: c.documentId})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
WITH row, f, d
ORDER BY f.confidence DESC, f.id
WITH
  row,
  head(collect(f.sentence)) AS sentence,
  collect(DISTINCT {id: d.id, title: d.title, sourceUri: d.sourceUri}) AS documents
RETURN row.number AS number, sentence, documents[..$sources] AS documents
ORDER BY number