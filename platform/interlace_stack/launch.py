"""Becomes a child process of the stack: records its id, takes its own environment, and replaces itself by the program.

Run as ``python -m interlace_stack.launch RUN_FOLDER NAME [--room=FOLDER] COMMAND…`` by the process supervisor. The environment comes
from ``RUN_FOLDER/NAME.env.json``, a private file, so that secrets stand neither on a command line nor in a program that does not need
them. The id survives the replacement, so ``RUN_FOLDER/NAME.pid`` finds the program even if the supervisor was killed.

With ``--room`` the program starts once that folder's disk has room for it: also after a crash, when nobody is there to make any.
"""

import json
import os
import sys
import time
from pathlib import Path

from interlace_stack.processes import record_self
from interlace_stack.room import lack_of_room

_ROOM = "--room="
_POLL_SECONDS = 1.0


def main(run: str, name: str, *command: str) -> None:
    """Replace this process by ``command``."""
    environment = json.loads((Path(run) / f"{name}.env.json").read_text(encoding="utf-8"))
    record_self(Path(run), name)
    if command[0].startswith(_ROOM):
        wait_for_room(Path(command[0].removeprefix(_ROOM)), name)
        command = command[1:]
    os.execve(command[0], command, environment)  # noqa: S606 - the command is our own, from our own configuration


def wait_for_room(folder: Path, name: str) -> None:
    """Return once a folder's disk has room; say once, in the program's log, what is waited for."""
    lack = lack_of_room(folder)
    if lack:
        sys.stdout.write(f"{name} waits to be started: {lack}\n")
        sys.stdout.flush()
    while lack:
        time.sleep(_POLL_SECONDS)
        lack = lack_of_room(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
