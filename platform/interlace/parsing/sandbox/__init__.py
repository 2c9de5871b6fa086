"""Confined parsing: a subprocess with limits on time, memory, files and network."""
