"""The entity registry: how names are normalised, matched against text, and kept in step with the graph."""
