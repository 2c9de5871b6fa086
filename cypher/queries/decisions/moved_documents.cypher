// Documents whose evidence a decision takes to another entity, after a place, each with how many mentions
// params: $tenant STRING, $rows LIST<MAP>, $after STRING, $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// returns: document STRING, mentions INTEGER
// note: A row names the origin of evidence, the entity where it is, and its documents, or all but others.
CALL () {
  UNWIND $rows AS row
  MATCH (e:Entity {id: row.source})
  USING INDEX SEEK e:Entity(id)
  WHERE e.tenant = $tenant
  CALL (e, row) {
    MATCH (e)<-[m:MENTIONS]-(c:Chunk)
    WHERE m.via <> 'linker' AND coalesce(m.origin, e.id) = row.origin
    RETURN c.documentId AS document
      UNION ALL
    MATCH (e)<-[a:ABOUT]-(d:Document)
    WHERE coalesce(a.origin, e.id) = row.origin
    RETURN d.id AS document
      UNION ALL
    MATCH (e)<-[r:SUBJECT|OBJECT]-(:Fact)<-[:ASSERTS]-(c:Chunk)
    WHERE coalesce(r.origin, e.id) = row.origin
    RETURN c.documentId AS document
  }
  WITH document, row
  WHERE
    document > $after AND
    (row.documents IS NULL OR document IN row.documents) AND
    NOT document IN row.others
  RETURN document
}
RETURN document, count(*) AS mentions
ORDER BY document
LIMIT $limit