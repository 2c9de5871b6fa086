"""Bytes to `ParsedDocument` to chunks: one module a format, run in a confined process."""
