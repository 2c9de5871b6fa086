"""The entry of the command ``interlace``: it imports the rest where Ctrl-C is expected already."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line, and exit with 130 on Ctrl-C while it is still being imported."""
    try:
        from interlace.cli.main import run
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    run()
