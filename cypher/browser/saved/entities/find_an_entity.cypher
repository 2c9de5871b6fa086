// Entities by a part of their names (:param name => 'Hoffmann')
// params: $tenant STRING, $name STRING
// mode: read
// returns: the entity nodes, best first
WITH
  'tenant:"' +
  $tenant +
  '" AND (name:(' +
  $name +
  ') OR aliases:(' +
  $name +
  '))' AS search
CALL
  db.index.fulltext.queryNodes(
    'entity_names',
    search
  )
  YIELD node AS e, score
  WHERE e.tenant = $tenant
RETURN e
ORDER BY score DESC
LIMIT 25