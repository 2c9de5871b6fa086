// Write entities with the label of their type
// params: $tenant STRING, $rows LIST<MAP>
// mode: write
// returns: nothing
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
WITH e, row, coalesce(e.type, row.type) AS before
REMOVE e: $ (before)
SET
  e = row.properties,
  e.id = row.id,
  e.tenant = $tenant,
  e.type = row.type,
  e: $ (row.type)