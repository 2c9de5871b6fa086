"""The link graph: which documents lead to which, what is near one, and searches that know who is linked."""
