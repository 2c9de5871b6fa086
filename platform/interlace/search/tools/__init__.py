"""Tool routing."""
