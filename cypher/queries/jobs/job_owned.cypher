// Whether a job was asked for with a key
// params: $tenant STRING, $id STRING, $owner STRING
// mode: read
// reader: anyone because it tells of no document
// returns: owned BOOLEAN
// rows: optional
// note: No row if it was not.
MATCH (j:Job {id: $id})
USING INDEX SEEK j:Job(id)
WHERE j.tenant = $tenant AND (j.owner = $owner OR $owner IN j.followers)
RETURN true AS owned