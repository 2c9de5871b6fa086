// Jobs with their ledger entries by stage and their first failures, in the order of the ids
// params: $tenant STRING, $ids LIST<STRING>, $failures INTEGER
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// returns: id STRING, kind STRING, open BOOLEAN, cancelled BOOLEAN, createdAt INTEGER, updatedAt INTEGER, total INTEGER?, ready INTEGER,
//   deleted INTEGER, failed INTEGER, unchanged INTEGER, chunks INTEGER, extracted INTEGER, mentions INTEGER, facts INTEGER,
//   llmChunks INTEGER, llmFailed INTEGER, llmTokens INTEGER, llmCost FLOAT, awaiting INTEGER, reasons LIST<STRING>,
//   unreadable LIST<STRING>, linking BOOLEAN, projecting BOOLEAN, stages LIST<{stage STRING, documents INTEGER}>,
//   failures LIST<{id STRING, sourceUri STRING, stage STRING?, reason STRING?, message STRING?}>
// allows: NodeByLabelScan because there is one node a change that is being linked, and none at rest; an outbox entry lives for moments
// note: ``linking``: its documents are written, older chunks are still to be linked to the names they brought. ``projecting``: the vector index is not yet in step with them. Times are milliseconds since 1970.
UNWIND range(0, size($ids) - 1) AS place
WITH place, $ids[place] AS id
MATCH (j:Job {id: id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant
CALL (j) {
  MATCH (i:IngestionRecord {jobId: j.id})
  USING INDEX SEEK i:IngestionRecord(jobId, stage)
  WHERE i.stage IS NOT NULL
  WITH i.stage AS stage, count(*) AS documents
  RETURN collect({stage: stage, documents: documents}) AS stages
}
CALL (j) {
  MATCH (i:IngestionRecord {jobId: j.id, stage: 'quarantined'})
  USING INDEX SEEK i:IngestionRecord(jobId, stage)
  WITH i
  ORDER BY i.sourceUri
  LIMIT $failures
  RETURN
    collect({
      id: i.id,
      sourceUri: i.sourceUri,
      stage: i.failedStage,
      reason: i.reason,
      message: i.error
    }) AS failures
}
CALL (j) {
  MATCH (p:PendingExtraction {jobId: j.id})
  RETURN
    coalesce(sum(p.chunks), 0) AS awaiting,
    collect(DISTINCT p.reason) AS reasons
}
RETURN
  j.id AS id,
  j.kind AS kind,
  j.heartbeatAt IS NOT NULL AS open,
  coalesce(j.cancelled, false) AS cancelled,
  j.createdAt AS createdAt,
  j.updatedAt AS updatedAt,
  j.total AS total,
  coalesce(j.ready, 0) AS ready,
  coalesce(j.deleted, 0) AS deleted,
  coalesce(j.failed, 0) AS failed,
  coalesce(j.unchanged, 0) AS unchanged,
  coalesce(j.chunks, 0) AS chunks,
  coalesce(j.extracted, 0) AS extracted,
  coalesce(j.mentions, 0) AS mentions,
  coalesce(j.facts, 0) AS facts,
  coalesce(j.llmChunks, 0) AS llmChunks,
  coalesce(j.llmFailed, 0) AS llmFailed,
  coalesce(j.llmTokens, 0) AS llmTokens,
  coalesce(j.llmCost, 0.0) AS llmCost,
  awaiting,
  reasons,
  coalesce(j.unreadable, []) AS unreadable,
  EXISTS {
    MATCH (p:PendingRelink {tenant: $tenant})
    WHERE j.id IN p.jobs
  } AS linking,
  EXISTS {
    MATCH (o:Outbox {tenant: $tenant})
    WHERE j.id IN o.jobs
  } AS projecting,
  stages,
  failures
ORDER BY place