// Note that a tenant restricts documents to groups of readers
// params: $tenant STRING
// mode: write
// returns: age INTEGER
// rows: one
// note: ``age`` is for how long it has been noted, in milliseconds.
MERGE (r:Tenant {tenant: $tenant})
  ON CREATE SET r.version = timestamp(), r.epoch = randomUUID()
SET r.apartSince = coalesce(r.apartSince, timestamp())
RETURN timestamp() - r.apartSince AS age