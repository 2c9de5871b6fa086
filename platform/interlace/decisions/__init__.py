"""Decisions about entities: recorded, undone, and applied to the evidence of documents."""
