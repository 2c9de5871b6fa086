// Version of a tenant's registry, number of its chunks, and embedding models
// params: $tenant STRING
// mode: read
// returns: version, chunks (how many chunks the tenant has), models (whose vectors all of them have), model (chosen for questions)
MATCH (r:Tenant {tenant: $tenant})
RETURN
  r.version AS version,
  coalesce(r.chunks, 0) AS chunks,
  coalesce(r.vectorModels, []) AS models,
  r.vectorModel AS model