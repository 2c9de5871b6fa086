"""The legs of a search."""
