"""The watchdog: restarts a Neo4j that runs but refuses all work, for example after its disk was full, once there is disk space again.

After a failed write Neo4j's database panics: it refuses every transaction, reads included, until the server is restarted. It never restarts
by itself: the setting ``server.panic.shutdown_on_panic`` belongs to Enterprise Edition, and Community Edition refuses to start with it.

The watchdog kills the server rather than stopping it. A server that is stopped writes the rest of its buffers after the point where the full disk
had truncated the log, and then the database does not start again (seen with 5.26.19). Recovery from a kill is what the log is for.

Until there is disk space the server is left running, because it reports what is wrong. The process supervisor runs
``python -m interlace_stack.watchdog HOME NAME``.
"""

import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from interlace_stack.disk_space import missing_space
from interlace_stack.layout import Layout
from interlace_stack.readiness import neo4j_failure
from interlace_stack.state import read_state
from interlace_stack.supervision import Supervisor

_logger = logging.getLogger(__name__)
POLL_SECONDS: Final = 5.0
UNHEALTHY_SECONDS: Final = 10.0
"""A failure that passes within this time, while the server starts or stops, is no reason to kill it."""
FIRST_PAUSE_SECONDS: Final = 30.0
MAX_PAUSE_SECONDS: Final = 900.0


class Watchdog:
    """Decides at each check whether to restart Neo4j.

    Args:
        failure: returns why Neo4j refuses all work; empty if it does not.
        missing: returns how much space its disk lacks; empty if there is enough.
        restart: kills the server, which the supervisor then starts again.
        clock: returns monotonic seconds.
    """

    def __init__(
        self,
        failure: Callable[[], str],
        missing: Callable[[], str],
        restart: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._failure = failure
        self._missing = missing
        self._restart = restart
        self._clock = clock
        self._failing_since: float | None = None
        self._last_failure = self._last_restart = -MAX_PAUSE_SECONDS
        self._pause = 0.0

    def check(self) -> None:
        """Restart Neo4j if it has failed for a while, its disk has space, and the last restart is long enough ago.

        Each restart doubles the pause before the next one (exponential backoff), until Neo4j has worked for as long as the longest pause.
        """
        failure, now = self._failure(), self._clock()
        if not failure:
            self._failing_since = None
            return
        if now - self._last_failure >= MAX_PAUSE_SECONDS:
            self._pause = 0.0
        self._last_failure, missing = now, self._missing()
        if self._failing_since is None:
            self._failing_since = now
            _logger.warning("Neo4j refuses all work. %s %s", failure, missing or "It is restarted if that lasts.")
        if missing or now - self._failing_since < UNHEALTHY_SECONDS or now - self._last_restart < self._pause:
            return
        self._pause = max(FIRST_PAUSE_SECONDS, min(2 * self._pause, MAX_PAUSE_SECONDS))
        self._last_restart, self._failing_since = now, None
        _logger.warning("Killing Neo4j, to be restarted. %s", failure)
        self._restart()


def main(home: str, name: str) -> None:
    """Watch the Neo4j of a stack until this process is ended."""
    layout = Layout(Path(home), name)
    supervisor = Supervisor(layout)

    def failure() -> str:
        state, program = read_state(layout), supervisor.programs().get("neo4j")
        # A server that is being stopped, or waits for disk space to start, is not the watchdog's concern.
        return neo4j_failure(state) if state and program and program.state == "RUNNING" else ""

    watchdog = Watchdog(failure, lambda: missing_space(layout.neo4j), lambda: supervisor.kill_program("neo4j"))
    while True:
        watchdog.check()
        time.sleep(POLL_SECONDS)


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    # Otherwise every probe of Neo4j would be a line in the log.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    main(*sys.argv[1:])
