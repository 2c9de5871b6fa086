// Documents that satisfy a metadata filter in conjunctive form
// params: $tenant STRING, $clauses LIST<LIST<MAP>>, $limit INTEGER
// mode: read
// returns: id
MATCH (d:Document {tenant: $tenant})
WHERE
  d.status = 'ready' AND
  all(
    clause IN $clauses
    WHERE
      any(
        test IN clause
        WHERE
          coalesce(
            CASE test.operator
              WHEN
                'eq'
                THEN
                  d[test.property] = test.value OR
                  test.value IN d[test.property]
              WHEN
                'in'
                THEN
                  any(
                    value IN test.value
                    WHERE d[test.property] = value OR value IN d[test.property]
                  )
              WHEN 'gt' THEN d[test.property] > test.value
              WHEN 'gte' THEN d[test.property] >= test.value
              WHEN 'lt' THEN d[test.property] < test.value
              WHEN 'lte' THEN d[test.property] <= test.value
              WHEN
                'prefix'
                THEN
                  d[test.property] STARTS WITH test.value OR
                  any(
                    value IN d[test.property] WHERE value STARTS WITH test.value
                  )
            END,
            false
          ) <>
          test.negated
      )
  )
RETURN d.id AS id
ORDER BY id
LIMIT $limit