// Begin a job that receives documents, or find it begun
// params: $tenant STRING, $id STRING, $kind STRING, $owner STRING?
// mode: write
// returns: ready INTEGER
// rows: one
// note: ``owner`` is the id of the key that asks for it; none for a caller without one. ``ready`` counts the documents that it has written already.
MERGE (j:Job {id: $id})
  ON CREATE SET
    j.tenant = $tenant,
    j.kind = $kind,
    j.owner = $owner,
    j.createdAt = timestamp(),
    j.updatedAt = timestamp(),
    j.heartbeatAt = timestamp()
RETURN coalesce(j.ready, 0) AS ready