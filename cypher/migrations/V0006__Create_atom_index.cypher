// What atoms are found and counted by: stems of their fields, made by us and separated by blanks; the index only splits them
CREATE FULLTEXT INDEX atom_fields IF NOT EXISTS
FOR (atom:Atom)
ON EACH [atom.tenant, atom.atomName, atom.atomDescription, atom.atomTags, atom.atomContent]
OPTIONS {
  indexConfig: {
    `fulltext.analyzer`: 'whitespace',
    `fulltext.eventually_consistent`: false
  }
};

CREATE INDEX atom_tenant IF NOT EXISTS
FOR (atom:Atom)
ON (atom.tenant);