"""Markdown with its extensions, front matter and typed references."""
