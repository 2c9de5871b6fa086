// Turn dispatched outbox entries of entities into notes that their texts wait to be embedded
// params: $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (o:Outbox {id: id})
USING INDEX SEEK o:Outbox(id)
REMOVE o :Outbox
SET o :PendingEmbedding