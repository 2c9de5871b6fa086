// Close jobs whose sender has long been silent, with a sentence; what they received is processed
// params: $before INTEGER, $message STRING
// mode: write
// returns: id
MATCH (j:Job)
WHERE j.sealed IS NULL AND coalesce(j.heardAt, j.createdAt) < $before
SET j.sealed = true, j.unreadable = [$message], j.updatedAt = timestamp()
RETURN j.id AS id