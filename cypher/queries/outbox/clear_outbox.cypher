// Remove outbox entries that were dispatched
// params: $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (o:Outbox {id: id})
USING INDEX SEEK o:Outbox(id)
DELETE o