// The predicates of relations, with a relation of each (for one alone: MATCH (e:Entity)-[r:RELATES_TO {predicate: 'DESIGN'}]->(o))
// params: $tenant STRING
// mode: read
// returns: predicate, relations, facts, example
MATCH
  (e:Entity {tenant: $tenant})-
    [r:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]->
  (o:Entity)
WITH r, e.name + ' → ' + o.name AS pair
ORDER BY r.weight DESC, pair
RETURN
  r.predicate AS predicate,
  count(r) AS relations,
  sum(r.weight) AS facts,
  head(collect(pair)) AS example
ORDER BY facts DESC, predicate
LIMIT 100