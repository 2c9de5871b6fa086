// One entity with the documents about it and its communities
// params: $tenant STRING, $id STRING, $counted INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?, confidence FLOAT, mentions INTEGER,
//   chunks INTEGER, documents INTEGER, facts INTEGER, about LIST<{id STRING, title STRING, source_uri STRING}>,
//   communities LIST<{id STRING, level INTEGER, title STRING?}>
// rows: optional
// note: ``chunks`` and ``documents`` are those of at most ``counted`` mentions.
MATCH (e:Entity {id: $id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)<-[:MENTIONS]-(c:Chunk)
  WITH c
  LIMIT $counted
  RETURN count(DISTINCT c) AS chunks, count(DISTINCT c.documentId) AS documents
}
RETURN
  e.id AS id,
  e.name AS name,
  e.type AS type,
  e.aliases AS aliases,
  e.confidence AS confidence,
  COUNT { (e)<-[:MENTIONS]-() } AS mentions,
  chunks,
  documents,
  COUNT { (e)<-[:SUBJECT]-() } + COUNT { (e)<-[:OBJECT]-() } AS facts,
  COLLECT {
    MATCH (d:Document)-[:ABOUT]->(e)
    WITH DISTINCT d
    ORDER
    BY
    d.sourceUri
    LIMIT
    20
    RETURN {id: d.id, title: d.title, source_uri: d.sourceUri}
  } AS about,
  COLLECT {
    MATCH (e)-[:IN_COMMUNITY]->(c:Community)
    WITH c
    ORDER
    BY
    c.level,
    c.id
    LIMIT
    20
    RETURN {id: c.id, level: c.level, title: c.title}
  } AS communities