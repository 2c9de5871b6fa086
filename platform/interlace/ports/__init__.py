"""The edges of the platform: one small ``Protocol`` a file, each with one contract suite for fake and real."""
