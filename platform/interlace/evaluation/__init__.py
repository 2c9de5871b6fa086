"""Retrieval evaluation: known questions over a known corpus, through the ordinary pipeline and coordinator."""
