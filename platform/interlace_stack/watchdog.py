"""Starts Neo4j anew when it runs but has given up, for example after its disk was full, as soon as there is room again.

After a failed write Neo4j's database panics: it refuses every transaction, also those that only read, until the server is started
anew. Of its own accord it never is: the setting ``server.panic.shutdown_on_panic`` is Enterprise Edition's, and Community Edition
refuses to start with it.

It is killed rather than stopped. A server that is stopped writes what was left in its buffers behind what the full disk had cut off;
once that is in the transaction log, the database does not start again (seen with 5.26.19). Being killed is what the log is for.

Until there is room it is left as it is, because it tells whoever asks what happened. Run as
``python -m interlace_stack.watchdog HOME NAME`` by the process supervisor.
"""

import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from interlace_stack.layout import Layout
from interlace_stack.readiness import why_neo4j_gave_up
from interlace_stack.room import lack_of_room
from interlace_stack.state import read_state
from interlace_stack.supervision import Supervisor

_log = logging.getLogger(__name__)
LOOK_SECONDS: Final = 5.0
PATIENCE_SECONDS: Final = 10.0
"""What is so only for a moment, while the server starts or is stopped, is no reason to kill it."""
FIRST_PAUSE_SECONDS: Final = 30.0
LONGEST_PAUSE_SECONDS: Final = 900.0


class Watchdog:
    """Decides at each look whether Neo4j is to be started anew.

    Args:
        trouble: returns why Neo4j has given up, or nothing.
        lack: returns what its disk lacks, or nothing.
        restart: ends the server, which is then started anew.
        clock: returns seconds that only grow.
    """

    def __init__(
        self,
        trouble: Callable[[], str],
        lack: Callable[[], str],
        restart: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._trouble = trouble
        self._lack = lack
        self._restart = restart
        self._clock = clock
        self._since: float | None = None
        self._unwell = self._restarted = -LONGEST_PAUSE_SECONDS
        self._pause = 0.0

    def look(self) -> None:
        """Ask how Neo4j is; restart it if it has given up for a while, its disk has room, and the last restart is not too recent.

        Each restart doubles the pause before the next, until Neo4j was well for as long as the longest pause.
        """
        trouble, now = self._trouble(), self._clock()
        if not trouble:
            self._since = None
            return
        if now - self._unwell >= LONGEST_PAUSE_SECONDS:
            self._pause = 0.0
        self._unwell, lack = now, self._lack()
        if self._since is None:
            self._since = now
            _log.warning("Neo4j takes no more work. %s %s", trouble, lack or "It is started anew if that lasts.")
        if lack or now - self._since < PATIENCE_SECONDS or now - self._restarted < self._pause:
            return
        self._pause = max(FIRST_PAUSE_SECONDS, min(2 * self._pause, LONGEST_PAUSE_SECONDS))
        self._restarted, self._since = now, None
        _log.warning("Neo4j is killed and started anew. %s", trouble)
        self._restart()


def main(home: str, name: str) -> None:
    """Look after the Neo4j of a stack until this process is ended."""
    layout = Layout(Path(home), name)
    supervisor = Supervisor(layout)

    def trouble() -> str:
        state, program = read_state(layout), supervisor.programs().get("neo4j")
        # Not one that is being stopped, or waits for room to be started.
        return why_neo4j_gave_up(state) if state and program and program.state == "RUNNING" else ""

    watchdog = Watchdog(trouble, lambda: lack_of_room(layout.neo4j), lambda: supervisor.kill_program("neo4j"))
    while True:
        watchdog.look()
        time.sleep(LOOK_SECONDS)


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    # One line for each request to Neo4j says nothing to anybody.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    main(*sys.argv[1:])
