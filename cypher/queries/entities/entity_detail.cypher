// One entity with the documents about it and its communities
// params: $tenant STRING, $id STRING, $counted INTEGER
// mode: read
// reader: filtered
// returns: id STRING, name STRING, type STRING, aliases LIST<STRING>?, confidence FLOAT, mentions INTEGER,
//   chunks INTEGER, documents INTEGER, facts INTEGER, about LIST<{id STRING, title STRING, sourceUri STRING}>,
//   communities LIST<{id STRING, level INTEGER, title STRING?}>
// rows: optional
// note: ``chunks`` and ``documents`` are those of at most ``counted`` mentions. A reader who is restricted to groups reads these, names
//   and type with visibility/visible_evidence, and ``facts`` with visibility/visible_facts; communities are made of all documents.
MATCH (e:Entity {id: $id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)<-[:MENTIONS]-(c:Chunk)
  WHERE $groups IS NULL
  WITH c
  LIMIT $counted
  RETURN count(DISTINCT c) AS chunks, count(DISTINCT c.documentId) AS documents
}
RETURN
  e.id AS id,
  CASE
    WHEN $groups IS NULL THEN e.name
    ELSE ''
  END AS name,
  CASE
    WHEN $groups IS NULL THEN e.type
    ELSE ''
  END AS type,
  CASE
    WHEN $groups IS NULL THEN e.aliases
    ELSE []
  END AS aliases,
  CASE
    WHEN $groups IS NULL THEN e.confidence
    ELSE 0.0
  END AS confidence,
  CASE
    WHEN $groups IS NULL THEN COUNT { (e)<-[:MENTIONS]-() }
    ELSE 0
  END AS mentions,
  chunks,
  documents,
  CASE
    WHEN
      $groups IS NULL
      THEN COUNT { (e)<-[:SUBJECT]-() } + COUNT { (e)<-[:OBJECT]-() }
    ELSE 0
  END AS facts,
  COLLECT {
    MATCH (d:Document)-[:ABOUT]->(e)
    WHERE
      ($groups IS NULL OR
        d.access IS NULL OR
        any(g IN d.access WHERE g IN $groups))
    WITH DISTINCT d
    ORDER
    BY
    d.sourceUri
    LIMIT
    20
    RETURN {id: d.id, title: d.title, sourceUri: d.sourceUri}
  } AS about,
  COLLECT {
    MATCH (e)-[:IN_COMMUNITY]->(:Community)-[:PARENT*0..10]->(c:Community)
    WHERE $groups IS NULL
    WITH c
    ORDER
    BY
    c.level,
    c.id
    LIMIT
    20
    RETURN {id: c.id, level: c.level, title: c.title}
  } AS communities