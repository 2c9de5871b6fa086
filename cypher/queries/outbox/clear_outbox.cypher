// Drop outbox entries that are done
// params: $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (o:Outbox {id: id})
USING INDEX SEEK o:Outbox(id)
DELETE o