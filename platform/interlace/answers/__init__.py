"""Answers: whether the evidence suffices, sentences with citations, and a language model's sentences verified against what they cite."""
