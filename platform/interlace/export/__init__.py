"""Export: backup, restore and canonical dump."""
