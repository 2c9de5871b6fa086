// Project a tenant's names as a weighted undirected graph: what facts and common chunks tie together
// params: $tenant STRING, $graph STRING, $places MAP, $starts LIST<MAP>, $unit INTEGER, $namesPerChunk INTEGER, $hubCap INTEGER
// mode: read
// returns: relationships INTEGER
// rows: one
// untyped: because the client of Graph Data Science runs it, which takes text
// note: Relationships are counted in both directions.
CALL () {
  UNWIND range(0, size($starts) - 1) AS source
  RETURN source, null AS target, null AS weight
    UNION ALL
  MATCH
    (a:Entity {tenant: $tenant})-
      [r:RELATES_TO|CONTAINS|DOCUMENTED_IN|RELATED_TO|USES]->
    (b:Entity)
  WHERE a <> b
  RETURN
    $places[a.id] AS source,
    $places[b.id] AS target,
    $unit * r.weight AS weight
    UNION ALL
  MATCH (c:Chunk {tenant: $tenant})
  CALL (c) {
    MATCH (c)-[:MENTIONS]->(e:Entity)
    WITH DISTINCT e
    WITH e, COUNT { (e)<-[:MENTIONS]-() } - coalesce(e.agreed, 0) AS mentions
    WHERE mentions <= $hubCap
    WITH e
    ORDER BY mentions, e.id
    LIMIT $namesPerChunk
    RETURN collect($places[e.id]) AS names
  }
  WITH names, size(names) AS count
  WHERE count > 1
  UNWIND range(0, count - 2) AS i
  UNWIND range(i + 1, count - 1) AS j
  RETURN names[i] AS source, names[j] AS target, $unit / (count - 1) AS weight
}
WITH source, target, weight
WHERE source IS NOT NULL AND (weight IS NULL OR target IS NOT NULL)
WITH
  gds.graph.project(
    $graph,
    source,
    target,
    {
      sourceNodeProperties:
        CASE
          WHEN target IS NULL THEN $starts[source]
        END,
      targetNodeProperties: null,
      relationshipProperties:
        CASE
          WHEN target IS NOT NULL THEN {weight: weight}
        END
    },
    {undirectedRelationshipTypes: ['*'], readConcurrency: 1}
  ) AS projected
RETURN projected.relationshipCount AS relationships