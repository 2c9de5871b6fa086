// Documents that answer to keys; the id of a document is a key too
// params: $tenant STRING, $keys LIST<STRING>, $limit INTEGER
// mode: read
// reader: filtered
// returns: key STRING, documents LIST<STRING>
UNWIND $keys AS key
CALL (key) {
  CALL (key) {
    MATCH (:Reference {tenant: $tenant, key: key})<-[:KNOWN_AS]-(d:Document)
    WHERE
      ($groups IS NULL OR
        d.access IS NULL OR
        any(g IN d.access WHERE g IN $groups))
    RETURN d.id AS id
    ORDER BY id
    LIMIT $limit
      UNION
    MATCH (d:Document {id: key})
    USING INDEX SEEK d:Document(id)
    WHERE
      d.tenant = $tenant AND
      ($groups IS NULL OR
        d.access IS NULL OR
        any(g IN d.access WHERE g IN $groups))
    RETURN d.id AS id
  }
  RETURN collect(id) AS documents
}
RETURN key, documents