// A page of ids of entities
// params: $tenant STRING, $after STRING, $limit INTEGER
// mode: read
// reader: operators because invariants are checked on a tenant whole
// returns: id STRING
MATCH (e:Entity)
USING INDEX SEEK e:Entity(id)
WHERE e.id > $after AND e.tenant = $tenant
RETURN e.id AS id
ORDER BY id
LIMIT $limit