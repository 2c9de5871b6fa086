"""Search: one staged pipeline from a question to explained hits."""
