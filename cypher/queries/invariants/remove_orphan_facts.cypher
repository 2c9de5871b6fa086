// Remove those of some facts that no chunk asserts
// params: $tenant STRING, $ids LIST<STRING>
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (f:Fact {id: id})
USING INDEX SEEK f:Fact(id)
WHERE f.tenant = $tenant AND NOT EXISTS { (f)<-[:ASSERTS]-(:Chunk) }
DETACH DELETE f