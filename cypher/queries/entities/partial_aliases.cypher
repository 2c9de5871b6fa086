// Names that hold all words of a search, the best first by the index
// params: $tenant STRING, $searches LIST<STRING>, $limit INTEGER
// mode: read
// reader: operators because names and evidence come from documents of all groups
// returns: search STRING, id STRING, name STRING, keys LIST<STRING>?, degree INTEGER, titled BOOLEAN
// note: ``limit`` counts for each search; one row a search and entity.
UNWIND $searches AS search
CALL (search) {
  CALL
    db.index.fulltext.queryNodes(
      'entity_names',
      search
    )
    YIELD node AS e, score
    WHERE e.tenant = $tenant
  RETURN e
  LIMIT $limit
}
RETURN
  search,
  e.id AS id,
  e.name AS name,
  e.keys AS keys,
  COUNT { (e)<-[:MENTIONS]-() } AS degree,
  EXISTS { (e)<-[:ABOUT {kind: 'title'}]-() } AS titled