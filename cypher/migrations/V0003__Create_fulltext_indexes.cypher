// Words come folded by us, separated by blanks; the index only splits them. The tenant is indexed so that a search names it
CREATE FULLTEXT INDEX chunk_terms IF NOT EXISTS
FOR (chunk:Chunk)
ON EACH [chunk.tenant, chunk.terms, chunk.capitals]
OPTIONS {
  indexConfig: {
    `fulltext.analyzer`: 'whitespace',
    `fulltext.eventually_consistent`: false
  }
};

CREATE FULLTEXT INDEX entity_names IF NOT EXISTS
FOR (entity:Entity)
ON EACH [entity.tenant, entity.name, entity.aliases]
OPTIONS {
  indexConfig: {
    `fulltext.analyzer`: 'standard-folding',
    `fulltext.eventually_consistent`: false
  }
};

CREATE FULLTEXT INDEX community_text IF NOT EXISTS
FOR (community:Community)
ON EACH [community.tenant, community.title, community.summary]
OPTIONS {
  indexConfig: {
    `fulltext.analyzer`: 'english',
    `fulltext.eventually_consistent`: false
  }
};

CREATE FULLTEXT INDEX document_names IF NOT EXISTS
FOR (document:Document)
ON EACH [document.tenant, document.title, document.path]
OPTIONS {
  indexConfig: {
    `fulltext.analyzer`: 'standard-folding',
    `fulltext.eventually_consistent`: false
  }
};