// Record that new points have vectors of these models only; the first chunks of a tenant decide again
// params: $tenant STRING, $models LIST<STRING>
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET
  r.vectorModels =
    CASE
      WHEN coalesce(r.chunks, 0) = 0 THEN $models
      ELSE [model IN r.vectorModels WHERE model IN $models]
    END,
  r.vectorBuilding = [model IN r.vectorBuilding WHERE model IN $models]