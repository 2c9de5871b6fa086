"""The syntactic parser by a spaCy pipeline."""
