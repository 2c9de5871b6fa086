"""Documents: naming, metadata, repository, verification of files."""
