// Number of chunks of the documents that a reader may not see
// params: $tenant STRING
// mode: read
// reader: filtered
// returns: chunks INTEGER
// rows: one
MATCH (d:Document {tenant: $tenant})
USING INDEX SEEK d:Document(tenant, access)
WHERE
  d.access IS NOT NULL AND
  NOT ($groups IS NULL OR
    d.access IS NULL OR
    any(g IN d.access WHERE g IN $groups))
MATCH (d)-[:HAS_SECTION]->(s)
RETURN coalesce(sum(COUNT { (s)-[:HAS_CHUNK]->() }), 0) AS chunks