"""Typed queries: a function and a row class for each file of ``cypher/queries``, a module a noun; ``make queries`` writes them."""
