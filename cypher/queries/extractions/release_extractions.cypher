// Give documents back, to be taken up again after some time, with the reason why they wait
// params: $tenant STRING, $ids LIST<STRING>, $owner STRING, $delayMs INTEGER, $reason STRING?
// mode: write
// returns: nothing
// note: Without a reason nothing failed: it is as if they had not been taken up.
UNWIND $ids AS id
MATCH (p:PendingExtraction {id: id})
USING INDEX SEEK p:PendingExtraction(id)
WHERE p.tenant = $tenant AND p.owner = $owner
SET
  p.owner = null,
  p.lock = null,
  p.dueAt = timestamp() + $delayMs,
  p.reason = $reason,
  p.attempt =
    CASE
      WHEN $reason IS NULL THEN 0
      ELSE coalesce(p.attempt, 0) + 1
    END