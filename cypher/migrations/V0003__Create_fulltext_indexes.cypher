// The writers normalise the words and separate them by blanks; most indexes only split them. The tenant is indexed so that a search can require it
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

CREATE FULLTEXT INDEX document_names IF NOT EXISTS
FOR (document:Document)
ON EACH [document.tenant, document.terms]
OPTIONS {
  indexConfig: {
    `fulltext.analyzer`: 'whitespace',
    `fulltext.eventually_consistent`: false
  }
};

CREATE FULLTEXT INDEX section_names IF NOT EXISTS
FOR (section:Section)
ON EACH [section.tenant, section.terms]
OPTIONS {
  indexConfig: {
    `fulltext.analyzer`: 'whitespace',
    `fulltext.eventually_consistent`: false
  }
};

CREATE FULLTEXT INDEX atom_fields IF NOT EXISTS
FOR (atom:Atom)
ON EACH [atom.tenant, atom.atomName, atom.atomDescription, atom.atomTags, atom.atomContent]
OPTIONS {
  indexConfig: {
    `fulltext.analyzer`: 'whitespace',
    `fulltext.eventually_consistent`: false
  }
};