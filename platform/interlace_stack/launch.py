"""The launcher of a child process: records its id, loads its environment, and replaces itself with the program (exec).

The process supervisor runs ``python -m interlace_stack.launch RUN_FOLDER NAME [--needs-space=FOLDER] COMMAND…``. The environment comes
from ``RUN_FOLDER/NAME.env.json``, a private file, so that no secret is on a command line or in a program that does not need it. The
id survives the exec, so ``RUN_FOLDER/NAME.pid`` finds the program even if the supervisor was killed.

With ``--needs-space`` the program starts only once that folder's disk has enough free space, also after a crash.
"""

import json
import os
import sys
import time
from pathlib import Path

from interlace_stack.disk_space import missing_space
from interlace_stack.processes import record_self

NEEDS_SPACE = "--needs-space="
_POLL_SECONDS = 1.0


def main(run: str, name: str, *command: str) -> None:
    """Replace this process with ``command``."""
    environment = json.loads((Path(run) / f"{name}.env.json").read_text(encoding="utf-8"))
    # Before the wait, so that `down` finds this process while it waits.
    record_self(Path(run), name)
    if command[0].startswith(NEEDS_SPACE):
        wait_for_space(Path(command[0].removeprefix(NEEDS_SPACE)), name)
        command = command[1:]
    os.execve(command[0], command, environment)  # noqa: S606 - the command is our own, from our own configuration


def wait_for_space(folder: Path, name: str) -> None:
    """Return once a folder's disk has enough free space; write the reason for waiting to the program's log, once."""
    missing = missing_space(folder)
    if missing:
        sys.stdout.write(f"{name} waits for disk space: {missing}\n")
        sys.stdout.flush()
    while missing:
        time.sleep(_POLL_SECONDS)
        missing = missing_space(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
