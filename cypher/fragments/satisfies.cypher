// Whether a chunk satisfies a metadata filter: its conditions, and how they are combined in postfix order
MATCH (document:Document)-[:HAS_SECTION]->(section)-[:HAS_CHUNK]->(chunk)
WHERE
  reduce(
    stack = [],
    step IN
    $filter.steps |
      CASE step.do
        WHEN
          'test'
          THEN
            [
              any(
                value IN
                CASE
                  WHEN step.property = 'sectionType' THEN [section.sectionType]
                  WHEN step.property = 'position' THEN [chunk.ordinal]
                  WHEN
                    document[step.property] IS :: LIST < ANY NOT NULL > NOT NULL
                    THEN document[step.property]
                  ELSE [document[step.property]]
                END
                WHERE
                  coalesce(
                    CASE
                      WHEN step.operator = 'in' THEN value IN step.exact
                      WHEN step.operator = 'gt' THEN value > step.bound
                      WHEN step.operator = 'gte' THEN value >= step.bound
                      WHEN step.operator = 'lt' THEN value < step.bound
                      WHEN step.operator = 'lte' THEN value <= step.bound
                      WHEN
                        value IS :: STRING NOT NULL
                        THEN
                          CASE step.operator
                            WHEN 'prefix' THEN value STARTS WITH step.bound
                          END
                      WHEN
                        value IS :: INTEGER NOT NULL | FLOAT NOT NULL
                        THEN
                          CASE step.operator
                            WHEN 'in number' THEN toFloat(value) IN step.exact
                            WHEN 'gt number' THEN toFloat(value) > step.bound
                            WHEN 'gte number' THEN toFloat(value) >= step.bound
                            WHEN 'lt number' THEN toFloat(value) < step.bound
                            WHEN 'lte number' THEN toFloat(value) <= step.bound
                          END
                    END,
                    false
                  )
              )
            ] +
            stack
        WHEN
          'all'
          THEN [all(truth IN stack[0..step.of] WHERE truth)] + stack[step.of..]
        WHEN
          'any'
          THEN [any(truth IN stack[0..step.of] WHERE truth)] + stack[step.of..]
        ELSE [NOT stack[0]] + stack[1..]
      END)[0]
RETURN chunk