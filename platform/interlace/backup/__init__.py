"""Backups: a tenant's graph and the settings in one file, and back."""
