"""Embedding models and cross-encoders that run in this process, from a folder, without a network."""
