// A page of a tenant's documents by id
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because only writers and workers run it
// returns: id STRING
// rows: many
MATCH (d:Document)
USING INDEX SEEK d:Document(id)
WHERE d.id > $after AND d.tenant = $tenant
RETURN d.id AS id
ORDER BY id
LIMIT $limit