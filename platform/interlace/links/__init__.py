"""The link graph: which documents link to which, which are near one, and searches that use the links."""
