"""Extraction from chunks by several extractors (models, the document's own structure, a language model), merged."""
