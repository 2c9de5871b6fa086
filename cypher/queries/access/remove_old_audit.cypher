// Remove entries of the audit log that are older than a time, or older than the newest so many
// params: $before INTEGER, $keep INTEGER, $limit INTEGER
// mode: write
// returns: removed INTEGER
// rows: one
CALL () {
  MATCH (a:AuditEntry)
  USING INDEX a:AuditEntry(at)
  WHERE a.at < $before
  RETURN a
    UNION
  MATCH (a:AuditEntry)
  USING INDEX a:AuditEntry(at)
  WHERE a.at > 0
  WITH a
  ORDER BY a.at DESC
  SKIP $keep
  RETURN a
}
WITH a
LIMIT $limit
DETACH DELETE a
RETURN count(*) AS removed