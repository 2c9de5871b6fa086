// Put an outbox entry that cannot be applied yet behind those that wait
// params: $id STRING
// mode: write
// returns: nothing
MATCH (o:Outbox {id: $id})
USING INDEX SEEK o:Outbox(id)
SET o.triedAt = timestamp()