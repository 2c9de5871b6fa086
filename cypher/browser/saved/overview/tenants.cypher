// The tenants of this database
// params: $tenant STRING
// mode: read
// returns: tenant, documents, entities, chosen (whether the other queries ask for this one)
MATCH (t:Tenant)
RETURN
  t.tenant AS tenant,
  COUNT {
    MATCH (d:Document {tenant: t.tenant})
  } AS documents,
  COUNT {
    MATCH (e:Entity {tenant: t.tenant})
  } AS entities,
  t.tenant = $tenant AS chosen
ORDER BY chosen DESC, tenant