// Tools as skills declare them: those that chunks speak of (any chunk of the section that declares one), and those with some ids
// params: $tenant STRING, $chunks LIST<STRING>, $tools LIST<STRING>, $links INTEGER
// mode: read
// reader: operators because tools are entities, which come from documents of all groups
// returns: hit STRING?, chunk STRING, text STRING, tool STRING, name STRING, skill STRING, skillName STRING, document STRING, sourceUri STRING,
//   keywords LIST<{id STRING, name STRING}>, skillKeywords LIST<{id STRING, name STRING}>, documents LIST<STRING>, linked LIST<STRING>
// note: ``hit`` is the chunk asked for, ``chunk`` the one that declares the tool, ``documents`` the skill's own and those that it is documented in, ``linked`` those with links to or from these.
CALL () {
  UNWIND $chunks AS id
  MATCH (c:Chunk {id: id})
  USING INDEX SEEK c:Chunk(id)
  WHERE c.tenant = $tenant
  // In two steps, for a pattern passes each relationship once and the chunk found may be the one that declares
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
MATCH (fact)-[:SUBJECT]->(skill:Entity {type: 'Skill'})
MATCH (fact)-[:OBJECT]->(tool:Entity {type: 'Tool'})
MATCH (d:Document {id: declaring.documentId})
USING INDEX SEEK d:Document(id)
WITH
  hit,
  declaring,
  tool,
  skill,
  d,
  [d] +
  COLLECT {
    MATCH (skill)-[:DOCUMENTED_IN]->(:Entity)<-[:ABOUT]-(reference:Document)
    WHERE reference <> d
    RETURN reference
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
  tool.name AS name,
  skill.id AS skill,
  skill.name AS skillName,
  d.id AS document,
  d.sourceUri AS sourceUri,
  COLLECT {
    MATCH (tool)-[:RELATED_TO]->(w:Entity {type: 'Concept'})
    RETURN {id: w.id, name: w.name}
    ORDER
    BY
    w.name
  } AS keywords,
  COLLECT {
    MATCH (skill)-[:RELATED_TO]->(w:Entity {type: 'Concept'})
    RETURN {id: w.id, name: w.name}
    ORDER
    BY
    w.name
  } AS skillKeywords,
  [each IN documents | each.id] AS documents,
  COLLECT {
    UNWIND documents AS each
    MATCH (each)-[:LINKS_TO]-(other:Document)
    RETURN DISTINCT other.id
    LIMIT
    $links
  } AS linked