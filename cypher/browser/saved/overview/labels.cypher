// The labels of nodes, what they mean and how many there are
// params: $tenant STRING
// mode: read
// returns: label, means, nodes (one row a label)
CALL () {
  MATCH (n:Document {tenant: $tenant})
  RETURN
    'Document' AS label,
    'one file, record or upload' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Section {tenant: $tenant})
  RETURN
    'Section' AS label,
    'a heading of a document with the text below it' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Chunk {tenant: $tenant})
  RETURN
    'Chunk' AS label,
    'a piece of a section: the unit of retrieval' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Entity {tenant: $tenant})
  RETURN
    'Entity' AS label,
    'a person, place or thing that texts mention; a second label is its type' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Fact {tenant: $tenant})
  RETURN
    'Fact' AS label,
    'what a sentence states: subject, predicate, object' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Tag {tenant: $tenant})
  RETURN
    'Tag' AS label,
    'a tag from front matter or from #tag in a text' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Reference {tenant: $tenant})
  RETURN
    'Reference' AS label,
    'a name or path that links lead to' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Community {tenant: $tenant})
  RETURN
    'Community' AS label,
    'entities that are closely connected' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:GeneratedText {tenant: $tenant})
  RETURN
    'GeneratedText' AS label,
    'what a language model wrote about an entity or a community' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Decision {tenant: $tenant})
  RETURN
    'Decision' AS label,
    'what people say about entities: same, different, split' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:IngestionRecord {tenant: $tenant})
  RETURN
    'IngestionRecord' AS label,
    'a document on its way in, or in quarantine' AS means,
    count(n) AS nodes
    UNION ALL
  MATCH (n:Job {tenant: $tenant})
  RETURN
    'Job' AS label,
    'an upload or a deletion, with its counts' AS means,
    count(n) AS nodes
}
RETURN label, means, nodes