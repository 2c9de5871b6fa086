// Names that hold all words of a search, the best first by the index
// params: $tenant STRING, $searches LIST<STRING>, $limit INTEGER (a search)
// mode: read
// returns: search, id, name, keys, degree, titled (whether it is some document's title), one row a search and name
UNWIND $searches AS search
CALL (search) {
  CALL
    db.index.fulltext.queryNodes(
      'entity_names',
      search,
      {limit: $limit}
    )
    YIELD node AS e, score
    WHERE e.tenant = $tenant
  RETURN e
}
RETURN
  search,
  e.id AS id,
  e.name AS name,
  e.keys AS keys,
  COUNT { (e)<-[:MENTIONS]-() } AS degree,
  EXISTS { (e)<-[:ABOUT {kind: 'title'}]-() } AS titled