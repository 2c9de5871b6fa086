// Write entities with the label of their type; what stays as it is costs nothing
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
WITH
  e,
  row,
  row.properties AS properties,
  CASE
    WHEN e.type <> row.type THEN [e.type]
    ELSE []
  END AS former
REMOVE e: $ (former)
SET
  e = properties {.*, id: row.id, tenant: $tenant, type: row.type},
  e: $ (row.type)