"""Entities: normalisation, evidence, entity linking with a gazetteer, and look-up by name."""
