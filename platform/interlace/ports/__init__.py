"""The edges of the platform: one small ``Protocol`` per file, each with one contract suite for the fake and the real adapter."""
