"""What several extractors found in a chunk, put together: models, the document's own structure, a language model."""
