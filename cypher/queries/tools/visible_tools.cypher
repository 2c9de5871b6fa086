// What tools/describe_tools returns, of the documents that a reader may see; names and types of ids follow from visibility/visible_evidence
// params: $tenant STRING, $chunks LIST<STRING>, $tools LIST<STRING>, $links INTEGER
// mode: read
// reader: filtered
// returns: hit STRING?, chunk STRING, text STRING, tool STRING, skill STRING, document STRING, sourceUri STRING, documents LIST<STRING>,
//   linked LIST<STRING>
CALL () {
  UNWIND $chunks AS id
  MATCH (c:Chunk {id: id})
  USING INDEX SEEK c:Chunk(id)
  WHERE c.tenant = $tenant
  MATCH (c)<-[:HAS_CHUNK]-(s:Section)
  MATCH
    (s)-[:HAS_CHUNK]->
    (declaring:Chunk)-[:ASSERTS]->
    (fact:Fact {predicate: 'CONTAINS', extractor: 'structure'})
  RETURN c.id AS hit, declaring, fact
    UNION
  UNWIND $tools AS id
  MATCH (e:Entity {id: id})
  USING INDEX SEEK e:Entity(id)
  WHERE e.tenant = $tenant
  MATCH
    (e)<-[:OBJECT]-
    (fact:Fact {predicate: 'CONTAINS', extractor: 'structure'})<-[:ASSERTS]-
    (declaring:Chunk)
  RETURN null AS hit, declaring, fact
}
MATCH (d:Document {id: declaring.documentId})
USING INDEX SEEK d:Document(id)
WHERE
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups))
MATCH (fact)-[:SUBJECT]->(skill:Entity)
MATCH (fact)-[:OBJECT]->(tool:Entity)
WITH
  hit,
  declaring,
  tool,
  skill,
  d,
  [d] +
  COLLECT {
    MATCH
      (skill)<-[:SUBJECT]-
      (f:Fact {predicate: 'DOCUMENTED_IN'})-[:OBJECT]->
      (:Entity)<-[:ABOUT]-
      (reference:Document)
    WHERE
      reference <> d AND
      ($groups IS NULL OR
        reference.access IS NULL OR
        any(g IN reference.access WHERE g IN $groups)) AND
      EXISTS {
        MATCH (f)<-[:ASSERTS]-(c:Chunk)
        MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(stating:Document)
        WHERE
          ($groups IS NULL OR
            stating.access IS NULL OR
            any(g IN stating.access WHERE g IN $groups))
      }
    RETURN DISTINCT reference
    ORDER
    BY
    reference.id
    LIMIT
    $links
  } AS documents
RETURN
  hit,
  declaring.id AS chunk,
  declaring.text AS text,
  tool.id AS tool,
  skill.id AS skill,
  d.id AS document,
  d.sourceUri AS sourceUri,
  [each IN documents | each.id] AS documents,
  COLLECT {
    UNWIND documents AS each
    MATCH (each)-[:LINKS_TO]-(other:Document)
    WHERE
      ($groups IS NULL OR
        other.access IS NULL OR
        any(g IN other.access WHERE g IN $groups))
    RETURN DISTINCT other.id
    LIMIT
    $links
  } AS linked