// How many documents carry tags that begin so: a document counts once a tag
// params: $tenant STRING, $beginnings LIST<STRING>
// mode: read
// reader: anyone because the number only chooses the way in which chunks are looked up
// returns: documents INTEGER
// rows: one
UNWIND $beginnings AS beginning
MATCH (t:Tag {tenant: $tenant})
USING INDEX SEEK t:Tag(tenant, name)
WHERE t.name STARTS WITH beginning
RETURN sum(COUNT { (t)<-[:TAGGED]-() }) AS documents