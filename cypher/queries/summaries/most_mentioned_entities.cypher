// The entities that most chunks mention, with the chunks that may say what they are
// params: $tenant STRING, $limit INTEGER, $chunks INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, openings LIST<STRING>, stating LIST<STRING>
// note: ``openings`` are the first chunks of documents about an entity, ``stating`` hold the surest facts whose subject it is.
MATCH (e:Entity {tenant: $tenant})
WITH e, COUNT { (e)<-[:MENTIONS]-() } AS mentions
ORDER BY mentions DESC, e.id
LIMIT $limit
RETURN
  e.id AS id,
  e.name AS name,
  COLLECT {
    MATCH (d:Document)-[:ABOUT]->(e)
    WITH DISTINCT d
    ORDER
    BY
    d.sourceUri
    LIMIT
    $chunks
    CALL (d) {
      MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(c:Chunk)
      RETURN c
      ORDER
      BY
      c.ordinal,
      c.id
      LIMIT
      1
    }
    RETURN c.id
  } AS openings,
  COLLECT {
    MATCH (e)<-[:SUBJECT]-(f:Fact)
    WITH f
    ORDER
    BY
    f.confidence
    DESC,
    f.id
    LIMIT
    $chunks
    MATCH (c:Chunk)-[:ASSERTS]->(f)
    RETURN c.id
  } AS stating
ORDER BY id