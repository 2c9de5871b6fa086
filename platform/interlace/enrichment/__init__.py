"""Extraction by a language model after documents are ready: records, the transaction that adds its evidence, and the service that runs it."""
