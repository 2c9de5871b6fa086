"""Communities: names that the text ties together, found by Leiden, with ids that stay and summaries that quote."""
