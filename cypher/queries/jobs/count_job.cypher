// Add to a job's counters
// params: $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
USING INDEX SEEK j:Job(id)
SET
  j.ready = coalesce(j.ready, 0) + row.ready,
  j.deleted = coalesce(j.deleted, 0) + row.deleted,
  j.failed = coalesce(j.failed, 0) + row.failed,
  j.chunks = coalesce(j.chunks, 0) + row.chunks,
  j.extracted = coalesce(j.extracted, 0) + row.extracted,
  j.mentions = coalesce(j.mentions, 0) + row.mentions,
  j.facts = coalesce(j.facts, 0) + row.facts,
  j.updatedAt = timestamp()