// Append to the audit log
// params: $entries LIST<MAP>
// mode: write
// returns: nothing
UNWIND $entries AS entry
MERGE (a:AuditEntry {id: entry.id})
  ON CREATE SET a += entry