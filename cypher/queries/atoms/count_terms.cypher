// How many atoms there are, and how many hold each of some words; a word of more atoms than the cap counts as held by so many
// params: $tenant STRING, $searches LIST<STRING>, $cap INTEGER
// mode: read
// reader: operators because atoms are counted whole
// returns: atoms INTEGER, counts LIST<INTEGER>
// rows: one
// note: ``counts`` holds one number a search.
RETURN
  COUNT { (a:Atom {tenant: $tenant}) } AS atoms,
  COLLECT {
    UNWIND range(0, size($searches) - 1) AS search
    CALL (search) {
      CALL
        db.index.fulltext.queryNodes(
          'atom_fields',
          $searches[search],
          {limit: $cap}
        )
        YIELD node
        WHERE node.tenant = $tenant
      RETURN count(node) AS held
    }
    WITH search, held
    ORDER
    BY
    search
    RETURN held
  } AS counts