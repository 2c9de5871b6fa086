"""Extraction by a language model after documents are ready: records, budgets, the transaction that adds its evidence, and the loop that runs it."""
