// What metadata filters and the names of documents and sections are looked up by
CREATE INDEX document_tenant_checksum IF NOT EXISTS
FOR (document:Document)
ON (document.tenant, document.checksum);

DROP INDEX document_names IF EXISTS;

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