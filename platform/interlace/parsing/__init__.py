"""Bytes to `ParsedDocument` to chunks: one module a format, run in a confined process."""

TEXT_VERSION = 13
"""Part of every document's fingerprint. Raise it whenever parsers or chunker would make something else of the same bytes."""
