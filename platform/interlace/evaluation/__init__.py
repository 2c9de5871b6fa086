"""Retrieval evaluation: known questions over a known corpus, through the ordinary ingestion and search pipelines."""
