"""Extraction by a language model, after documents are ready: records, budgets, the transaction that adds its evidence, the loop that does it."""
