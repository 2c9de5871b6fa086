"""Embedding models that run in this process, from a folder, without a network."""
