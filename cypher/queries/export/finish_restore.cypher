// Give a tenant its properties back, with a version that no process has seen and a new epoch
// params: $tenant STRING, $properties MAP
// mode: write
// returns: nothing
MATCH (r:Tenant {tenant: $tenant})
SET r.lock = true
WITH
  r,
  CASE
    WHEN r.version > coalesce($properties.version, 0) THEN r.version
    ELSE coalesce($properties.version, 0)
  END +
  1 AS version
SET r = $properties
SET
  r.tenant = $tenant,
  r.version = version,
  r.epoch = randomUUID(),
  r.apartSince =
    CASE
      WHEN
        EXISTS {
          MATCH (d:Document {tenant: $tenant})
          WHERE d.access IS NOT NULL
        }
        THEN coalesce(r.apartSince, timestamp())
      ELSE r.apartSince
    END,
  r.communitiesVersion =
    CASE
      WHEN $properties.communitiesVersion = $properties.version THEN version
      ELSE $properties.communitiesVersion
    END