"""Communities: groups of closely related entities, detected by Leiden, with stable ids and extractive summaries."""
