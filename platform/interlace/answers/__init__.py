"""Answers: whether the evidence suffices, sentences with citations."""
