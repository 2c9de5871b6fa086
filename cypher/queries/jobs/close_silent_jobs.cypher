// Close open jobs without a recent heartbeat; what they received is processed
// params: $before INTEGER, $message STRING
// mode: write
// returns: nothing
// note: Only open jobs have a heartbeat, so the index holds no other.
MATCH (j:Job)
USING INDEX SEEK j:Job(heartbeatAt)
WHERE j.heartbeatAt < $before
SET j.heartbeatAt = null, j.unreadable = [$message], j.updatedAt = timestamp()