// Extend the leases of documents that a model is reading
// params: $tenant STRING, $ids LIST<STRING>, $owner STRING, $leaseMs INTEGER
// mode: write
// returns: nothing
UNWIND $ids AS id
MATCH (p:PendingExtraction {id: id})
USING INDEX SEEK p:PendingExtraction(id)
WHERE p.tenant = $tenant AND p.owner = $owner
SET p.dueAt = timestamp() + $leaseMs