// Documents, or chunks, that satisfy a metadata filter: its conditions, and how they are combined in postfix order
// params: $tenant STRING, $tests LIST<MAP>, $steps LIST<MAP>, $chunks BOOLEAN, $anchor STRING, $anchors LIST<STRING>, $limit INTEGER
// mode: read
// returns: id STRING
// note: Ids of chunks if asked for, else of documents.
CALL () {
  WITH 1 AS once
  WHERE $anchor = 'tenant'
  MATCH (d:Document {tenant: $tenant})
  RETURN d
    UNION
  UNWIND $anchors AS id
  WITH id
  WHERE $anchor = 'document_id'
  MATCH (d:Document {id: id})
  USING INDEX SEEK d:Document(id)
  WHERE d.tenant = $tenant
  RETURN d
    UNION
  UNWIND $anchors AS checksum
  WITH checksum
  WHERE $anchor = 'checksum'
  MATCH (d:Document {tenant: $tenant, checksum: checksum})
  USING INDEX SEEK d:Document(tenant, checksum)
  RETURN d
    UNION
  UNWIND $anchors AS beginning
  WITH beginning
  WHERE $anchor = 'source'
  MATCH (d:Document {tenant: $tenant})
  WHERE d.sourceUri STARTS WITH beginning
  RETURN d
    UNION
  UNWIND $anchors AS beginning
  WITH beginning
  WHERE $anchor = 'tags'
  MATCH (t:Tag {tenant: $tenant})
  WHERE t.name STARTS WITH beginning
  MATCH (t)<-[:TAGGED]-(d:Document)
  RETURN d
}
WITH d
WHERE d.status = 'ready'
CALL (d) {
  WITH d
  WHERE NOT $chunks
  RETURN d.id AS id, null AS sectionType, null AS position
    UNION ALL
  WITH d
  WHERE $chunks
  MATCH (d)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk)
  RETURN c.id AS id, s.sectionType AS sectionType, c.ordinal AS position
}
WITH
  id,
  [
    test IN $tests
    | any(
      value IN
      CASE
        WHEN test.property = 'sectionType' THEN [sectionType]
        WHEN test.property = 'position' THEN [position]
        WHEN
          d[test.property] IS :: LIST < ANY NOT NULL > NOT NULL
          THEN d[test.property]
        ELSE [d[test.property]]
      END
      WHERE
        coalesce(
          CASE test.operator
            WHEN 'in' THEN value IN test.exact
            WHEN
              'prefix'
              THEN value IS :: STRING NOT NULL AND value STARTS WITH test.bound
            WHEN 'gt' THEN value > test.bound
            WHEN 'gte' THEN value >= test.bound
            WHEN 'lt' THEN value < test.bound
            WHEN 'lte' THEN value <= test.bound
          END,
          false
        ) OR
        coalesce(
          value IS :: INTEGER NOT NULL | FLOAT NOT NULL AND
          CASE test.operator
            WHEN 'in number' THEN toFloat(value) IN test.exact
            WHEN 'gt number' THEN toFloat(value) > test.bound
            WHEN 'gte number' THEN toFloat(value) >= test.bound
            WHEN 'lt number' THEN toFloat(value) < test.bound
            WHEN 'lte number' THEN toFloat(value) <= test.bound
          END,
          false
        )
    )
  ] AS truths
WHERE
  reduce(
    stack = [],
    step IN
    $steps |
      CASE step.do
        WHEN 'test' THEN [truths[step.at]] + stack
        WHEN
          'all'
          THEN [all(truth IN stack[0..step.of] WHERE truth)] + stack[step.of..]
        WHEN
          'any'
          THEN [any(truth IN stack[0..step.of] WHERE truth)] + stack[step.of..]
        ELSE [NOT stack[0]] + stack[1..]
      END)[0]
RETURN DISTINCT id
ORDER BY id
LIMIT $limit