"""From bytes to `ParsedDocument` to chunks: one module for each format, run in a confined process."""

TEXT_VERSION = 38
"""Part of every document's fingerprint. Bump it whenever parsers, chunker or keyword vectors would give a different result for the same bytes."""
