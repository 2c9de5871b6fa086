// How many atoms there are, and how many hold each of some words; a word of more atoms than the cap counts as held by so many
// params: $tenant STRING, $searches LIST<STRING>, $cap INTEGER
// mode: read
// reader: filtered
// returns: atoms INTEGER, counts LIST<INTEGER>
// rows: one
// note: ``counts`` holds one number a search.
RETURN
  COUNT {
    MATCH (a:Atom {tenant: $tenant})
    WHERE
      ($groups IS NULL OR
        a.access IS NULL OR
        any(g IN a.access WHERE g IN $groups))
  } AS atoms,
  COLLECT {
    UNWIND range(0, size($searches) - 1) AS search
    CALL (search) {
      CALL
        db.index.fulltext.queryNodes(
          'atom_fields',
          $searches[search],
          {limit:
              CASE
                WHEN $groups IS NULL THEN $cap
                ELSE 2147483647
              END}
        )
        YIELD node
        WHERE
          node.tenant = $tenant AND
          ($groups IS NULL OR
            node.access IS NULL OR
            any(g IN node.access WHERE g IN $groups))
      WITH node
      LIMIT
      $cap
      RETURN count(node) AS held
    }
    WITH search, held
    ORDER
    BY
    search
    RETURN held
  } AS counts