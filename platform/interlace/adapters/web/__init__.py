"""The adapter that fetches web pages."""
