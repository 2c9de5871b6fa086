// Remove some of the mentions that retired entities still have
// params: $tenant STRING, $limit INTEGER
// mode: write
// allows: NodeByLabelScan because there are as many as changes under way have removed
// returns: removed INTEGER
// rows: one
MATCH (e:RetiredEntity {tenant: $tenant})
MATCH (e)<-[m:MENTIONS]-(:Chunk)
WITH m
LIMIT $limit
DELETE m
RETURN count(*) AS removed