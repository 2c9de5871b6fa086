// Remove retired entities that no chunk mentions any more
// params: $tenant STRING
// mode: write
// allows: NodeByLabelScan because there are as many as changes under way have removed
// returns: nothing
MATCH (e:RetiredEntity {tenant: $tenant})
WHERE NOT EXISTS { (e)<-[:MENTIONS]-() }
DETACH DELETE e