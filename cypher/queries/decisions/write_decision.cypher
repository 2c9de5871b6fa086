// Record a decision; one that stands already stays as it is
// params: $tenant STRING, $id STRING, $properties MAP
// mode: write
// returns: nothing
MERGE (d:Decision {id: $id})
  ON CREATE SET d += $properties, d.tenant = $tenant