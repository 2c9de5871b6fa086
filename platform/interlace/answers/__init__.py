"""Answers: whether the evidence suffices, and sentences with citations."""
