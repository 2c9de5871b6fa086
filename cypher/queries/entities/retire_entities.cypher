// Take entities that no evidence supports out of every reader's sight; their mentions by older chunks are removed later
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.tenant = $tenant
CALL (e) {
  MATCH (e)-[r:!MENTIONS]-()
  DELETE r
}
REMOVE e: $ (labels(e))
SET e :RetiredEntity, e = {id: id, tenant: $tenant}