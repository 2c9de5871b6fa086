// Record that every chunk has vectors of these models, unless chunks came in without them meanwhile
// params: $tenant STRING, $models LIST<STRING>, $use STRING?
// mode: write
// returns: complete BOOLEAN
// rows: one
// note: If it is not ``complete``, another pass is due.
MATCH (r:Tenant {tenant: $tenant})
SET r.vectorLock = true
WITH
  r,
  all(model IN $models WHERE model IN coalesce(r.vectorBuilding, [])) AS complete
SET
  r.vectorModels =
    CASE
      WHEN
        complete
        THEN
          coalesce(r.vectorModels, []) +
          [model IN $models WHERE NOT model IN coalesce(r.vectorModels, [])]
      ELSE r.vectorModels
    END,
  r.vectorModel =
    CASE
      WHEN complete THEN coalesce($use, r.vectorModel)
      ELSE r.vectorModel
    END
RETURN complete