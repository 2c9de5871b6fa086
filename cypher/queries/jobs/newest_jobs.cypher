// Ids of the newest jobs
// params: $tenant STRING, $limit INTEGER
// mode: read
// reader: operators because jobs and quarantine are about documents of all groups
// returns: id STRING
MATCH (j:Job {tenant: $tenant})
WHERE j.createdAt IS NOT NULL
RETURN j.id AS id
ORDER BY j.createdAt DESC
LIMIT $limit