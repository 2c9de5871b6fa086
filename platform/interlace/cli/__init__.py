"""The command line: `interlace …`."""
