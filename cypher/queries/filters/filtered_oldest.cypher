// The chunks that satisfy a filter, the oldest documents first: documents are gone through by date until there are enough
// params: $tenant STRING, $filter MAP, $property STRING?, $values LIST<ANY>, $limit INTEGER
// mode: read
// reader: filtered
// returns: chunk STRING
// note: See filters/filtered_in_order. Documents of one date come by source.
MATCH (d:Document {tenant: $tenant})
USING INDEX SEEK d:Document(tenant, dated)
WHERE
  d.dated >= '' AND
  CASE
    WHEN
      d.status = 'ready' AND
      ($groups IS NULL OR
        d.access IS NULL OR
        any(g IN d.access WHERE g IN $groups)) AND
      ($property IS NULL OR
        any(
          value IN
          CASE
            WHEN
              d[$property] IS :: LIST < ANY NOT NULL > NOT NULL
              THEN d[$property]
            ELSE [d[$property]]
          END
          WHERE value IN $values
        ))
      THEN $filter.chunks OR [d, d, d] = $filter
    ELSE false
  END
MATCH (d)-[:HAS_SECTION]->(section:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE NOT $filter.chunks OR [d, section, c] = $filter
RETURN c.id AS chunk
ORDER BY d.tenant, d.dated, d.sourceUri, c.ordinal
LIMIT $limit