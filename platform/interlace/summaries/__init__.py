"""Summaries of communities and descriptions of entities by a language model: verified, paid for once, shown while their sources exist."""
