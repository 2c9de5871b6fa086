"""Types and rules with no I/O: what a document, a chunk, an entity, a fact and a hit are."""
