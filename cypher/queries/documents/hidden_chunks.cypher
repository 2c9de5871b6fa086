// Number of chunks of the documents that a reader may not see
// params: $tenant STRING
// mode: read
// reader: filtered
// returns: chunks INTEGER
// rows: one
MATCH (d:Document {tenant: $tenant})
WHERE
  NOT ($groups IS NULL OR
    d.access IS NULL OR
    any(g IN d.access WHERE g IN $groups))
RETURN
  coalesce(
    sum(COUNT { (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(:Chunk) }),
    0
  ) AS chunks