"""Who may do what: API keys, what they open, and the audit log."""
