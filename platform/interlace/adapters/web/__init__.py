"""The adapter of pages on the web."""
