"""Becomes a child process of the stack: records its id, takes its own environment, and replaces itself by the program.

Run as ``python -m interlace.stack.launch RUN_FOLDER NAME COMMAND…`` by the process supervisor. The environment comes from
``RUN_FOLDER/NAME.env.json``, a private file, so that secrets stand neither on a command line nor in a program that does not need
them. The id survives the replacement, so ``RUN_FOLDER/NAME.pid`` finds the program even if the supervisor was killed.
"""

import json
import os
import sys
from pathlib import Path

from interlace.stack.processes import record_self


def main(run: str, name: str, *command: str) -> None:
    """Replace this process by ``command``."""
    environment = json.loads((Path(run) / f"{name}.env.json").read_text(encoding="utf-8"))
    record_self(Path(run), name)
    os.execve(command[0], command, environment)  # noqa: S606 - the command is our own, from our own configuration


if __name__ == "__main__":
    main(*sys.argv[1:])
