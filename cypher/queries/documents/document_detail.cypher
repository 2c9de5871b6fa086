// One document with its sections and counts, or its ledger entry while it is on its way
// params: $tenant STRING, $id STRING
// mode: read
// reader: filtered
// returns: id STRING, source STRING, document MAP?,
//   record {operation STRING, stage STRING, failedStage STRING?, attempt INTEGER, reason STRING?, error STRING?,
//   jobId STRING, mediaType STRING, checksum STRING}?,
//   sections LIST<{id STRING, heading STRING, path STRING, level INTEGER, chunks INTEGER}>, chunks INTEGER,
//   linksOut INTEGER, linksIn INTEGER, entities LIST<{id STRING, name STRING, type STRING, mentions INTEGER}>
// rows: optional
// note: ``entities`` are those it mentions most.
CALL () {
  MATCH (d:Document {id: $id})
  USING INDEX SEEK d:Document(id)
  WHERE
    d.tenant = $tenant AND
    ($groups IS NULL OR
      d.access IS NULL OR
      any(g IN d.access WHERE g IN $groups))
  RETURN d.id AS id, d.sourceUri AS source
    UNION
  MATCH (i:IngestionRecord {id: $id})
  USING INDEX SEEK i:IngestionRecord(id)
  // Of what is on its way or in quarantine it is not known yet who may see it.
  WHERE i.tenant = $tenant AND $groups IS NULL
  RETURN i.id AS id, i.sourceUri AS source
}
OPTIONAL MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
OPTIONAL MATCH (i:IngestionRecord {id: id})
USING INDEX SEEK i:IngestionRecord(id)
RETURN
  id,
  source,
  properties(d) AS document,
  CASE
    WHEN i IS NULL OR $groups IS NOT NULL THEN null
    ELSE
      i {
        .operation,
        .stage,
        .failedStage,
        .attempt,
        .reason,
        .error,
        .jobId,
        .mediaType,
        .checksum
      }
  END AS record,
  COLLECT {
    MATCH (d)-[:HAS_SECTION]->(s:Section)
    WITH s
    ORDER
    BY
    s.ordinal
    LIMIT
    1000
    RETURN {
      id: s.id,
      heading: s.heading,
      path: s.path,
      level: s.level,
      chunks: COUNT { (s)-[:HAS_CHUNK]->() }
    }
  } AS sections,
  COUNT { (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(:Chunk) } AS chunks,
  CASE
    WHEN $groups IS NULL THEN COUNT { (d)-[:LINKS_TO]->() }
    ELSE
      COUNT {
        MATCH (d)-[:LINKS_TO]->(other:Document)
        WHERE
          ($groups IS NULL OR
            other.access IS NULL OR
            any(g IN other.access WHERE g IN $groups))
      }
  END AS linksOut,
  CASE
    WHEN $groups IS NULL THEN COUNT { (d)<-[:LINKS_TO]-() }
    ELSE
      COUNT {
        MATCH (d)<-[:LINKS_TO]-(other:Document)
        WHERE
          ($groups IS NULL OR
            other.access IS NULL OR
            any(g IN other.access WHERE g IN $groups))
      }
  END AS linksIn,
  COLLECT {
    MATCH
      (d)-[:HAS_SECTION]->
      (:Section)-[:HAS_CHUNK]->
      (:Chunk)-[m:MENTIONS]->
      (e:Entity)
    // Names come from documents of all groups.
    WHERE $groups IS NULL
    WITH e, sum(coalesce(m.count, 1)) AS times
    ORDER
    BY
    times
    DESC,
    e.name,
    e.id
    LIMIT
    20
    RETURN {id: e.id, name: e.name, type: e.type, mentions: times}
  } AS entities