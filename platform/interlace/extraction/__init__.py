"""Extraction: what several extractors find in a chunk, merged: models, the document's own structure, a language model."""
