// The chunks that satisfy a filter, by source and place, or by the date of their documents
// params: $tenant STRING, $filter MAP, $anchor STRING, $anchors LIST<STRING>, $low STRING, $high STRING, $sort STRING, $limit INTEGER
// mode: read
// reader: filtered
// returns: chunk STRING
// note: Documents are looked up by what the anchor names, by values or between two dates; ``tenant`` takes all.
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
  USING INDEX SEEK d:Document(tenant, sourceUri)
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
    UNION
  WITH 1 AS once
  WHERE $anchor = 'created_at'
  MATCH (d:Document {tenant: $tenant})
  USING INDEX SEEK d:Document(tenant, createdAt)
  WHERE $low <= d.createdAt <= $high
  RETURN d
    UNION
  WITH 1 AS once
  WHERE $anchor = 'modified_at'
  MATCH (d:Document {tenant: $tenant})
  USING INDEX SEEK d:Document(tenant, modifiedAt)
  WHERE $low <= d.modifiedAt <= $high
  RETURN d
    UNION
  WITH 1 AS once
  WHERE $anchor = 'indexed_at'
  MATCH (d:Document {tenant: $tenant})
  USING INDEX SEEK d:Document(tenant, indexedAt)
  WHERE $low <= d.indexedAt <= $high
  RETURN d
}
WITH d
WHERE
  d.status = 'ready' AND
  ($groups IS NULL OR d.access IS NULL OR any(g IN d.access WHERE g IN $groups)) AND
  ($filter.chunks OR [d, d, d] = $filter)
MATCH (d)-[:HAS_SECTION]->(section:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE NOT $filter.chunks OR [d, section, c] = $filter
WITH c, d.sourceUri AS source, d.dated AS date
RETURN c.id AS chunk
ORDER BY
CASE $sort
  WHEN 'newest' THEN date
END DESC,
CASE $sort
  WHEN 'oldest' THEN date
END, source, c.ordinal
LIMIT $limit