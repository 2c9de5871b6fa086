"""Starts the stack: servers first, then migrations, then the API, worker and beat; each step waits until its programs are ready."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from interlace.domain.errors import StackError
from interlace.settings import Settings
from interlace_stack.configuration import write_configuration
from interlace_stack.connect import connect
from interlace_stack.disk_space import missing_space
from interlace_stack.down import DOWN_SECONDS, end_orphans, stop_everything
from interlace_stack.external import external_servers
from interlace_stack.fetch import Progress, fetch_model, fetch_neo4j
from interlace_stack.layout import Layout, layout_of
from interlace_stack.locks import locked
from interlace_stack.models import uses_bundled_model
from interlace_stack.neo4j_http import NotReadyError
from interlace_stack.password import has_data, set_initial_password
from interlace_stack.programs import ALL, APPS, SERVERS, StackProgram, port_setting, programs
from interlace_stack.readiness import (
    Probe,
    port_is_free,
    probe_api,
    probe_neo4j,
    probe_qdrant,
    probe_redis,
)
from interlace_stack.signals import signals_ignored, stop_signals_raise
from interlace_stack.state import StackState, ensure_state
from interlace_stack.supervision import Supervisor

_POLL_SECONDS = 0.2
_READY_SECONDS = 300.0  # for a slow machine; a program that exits during startup is not waited for
_LOG_LINES = 8


@dataclass(frozen=True, slots=True)
class UpResult:
    """The result of ``up``.

    Args:
        settings: connected to the stack.
        started: programs that this call started, in order.
        already_running: programs that ran before.
        external: servers with an address outside the stack; the stack does not start them.
    """

    settings: Settings
    started: tuple[str, ...]
    already_running: tuple[str, ...]
    external: tuple[str, ...]


def up(
    settings: Settings,
    *,
    only: set[str] | None = None,
    migrate: Callable[[Settings], None] | None = None,
    progress: Progress = lambda _sentence: None,
) -> UpResult:
    """Start the programs that are not running yet, and return once all are ready.

    A call that fails or is interrupted (Ctrl-C, SIGTERM, SIGHUP) stops what it had started. A concurrent second call waits for the
    first. A call changes nothing if everything is already running.

    Args:
        settings: as loaded; addresses set to other servers exclude those from the stack.
        only: names of programs, for example ``{"neo4j", "redis", "qdrant"}``; None means all.
        migrate: brings the database's schema up to date; called with connected settings once Neo4j is ready.
        progress: called with a short sentence at each step.

    Raises:
        StackError: a tool is missing, a port is taken, a download failed, or a program did not become ready in time.
    """
    unknown = (only or set()) - set(ALL)
    if unknown:
        raise StackError(f"{', '.join(sorted(unknown))}: no such program. The stack has {', '.join(ALL)}.")
    layout = layout_of(settings)
    layout.prepare()
    with (
        stop_signals_raise(),
        locked(layout.lock_file, waiting=lambda: progress("waiting for another `interlace up` or `down`")),
    ):
        return _StackStart(settings, layout, progress).run(frozenset(only or ALL), migrate)


class _StackStart:
    """One run of ``up``, which records what it has started so that it can stop it again."""

    def __init__(self, settings: Settings, layout: Layout, progress: Progress) -> None:
        self._settings = settings
        self._layout = layout
        self._progress = progress
        self._supervisor = Supervisor(layout)
        self._supervisor_is_new = False
        self._started: list[str] = []

    def run(self, only: frozenset[str], migrate: Callable[[Settings], None] | None) -> UpResult:
        external = external_servers(self._settings)
        wanted = only - external
        state = ensure_state(self._settings, self._layout)
        self._fetch(wanted)
        # Programs of an earlier `up` stay in the configuration, or the supervisor would stop them.
        known = {name for name, program in self._supervisor.programs().items() if program.alive}
        plan = programs(self._settings, self._layout, state, frozenset((wanted | known) - external))
        try:
            self._supervise(state, plan)
            before = [name for name, program in self._supervisor.programs().items() if program.alive]
            self._start([plan[name] for name in SERVERS if name in wanted], state, before)
            connected = connect(self._settings)
            if migrate is not None and "neo4j" in only:
                self._progress("bringing the database's schema up to date")
                migrate(connected)
            self._start([plan[name] for name in APPS if name in wanted], state, before)
        except BaseException:  # also Ctrl-C and SIGTERM
            self._undo()
            raise
        already_running = tuple(name for name in before if name in wanted)
        return UpResult(connected, tuple(self._started), already_running, tuple(sorted(external)))

    def _fetch(self, wanted: frozenset[str]) -> None:
        if "neo4j" in wanted:
            fetch_neo4j(self._layout, self._progress)
        if uses_bundled_model(self._settings):
            fetch_model(self._layout, self._progress)

    def _supervise(self, state: StackState, plan: dict[str, StackProgram]) -> None:
        is_running = self._supervisor.is_running()
        if not is_running:
            # Programs that a killed supervisor left behind still hold the ports and the data folders.
            end_orphans(self._layout)
        changed = write_configuration(self._settings, self._layout, state, plan)
        if not is_running:
            self._supervisor_is_new = True
            self._supervisor.start()
        elif changed:
            self._progress("loading changed settings")
            self._supervisor.reload()

    def _start(self, group: list[StackProgram], state: StackState, running: list[str]) -> None:
        missing = [program for program in group if program.name not in running]
        # All checks come first, so that a taken port or a full disk leaves nothing half started.
        for program in missing:
            self._check_port(program)
            self._check_space(program)
            if program.name == "neo4j":
                self._check_browser_port(state)
                if not has_data(self._layout):
                    self._progress("setting Neo4j's password")
                    set_initial_password(self._layout, state)
        for program in missing:
            self._progress(f"starting {program.name}")
            self._started.append(program.name)
            self._supervisor.start_program(program.name)
        # Together: the servers start at the same time.
        deadline = time.monotonic() + _READY_SECONDS
        for program in group:
            self._wait(program, self._probe(program.name, state), deadline)

    def _check_port(self, program: StackProgram) -> None:
        if program.port is not None:
            self._require_free(program.port, program.name, program.port_setting)

    def _check_browser_port(self, state: StackState) -> None:
        self._require_free(state.browser_port, "Neo4j Browser", port_setting("browser"))

    def _check_space(self, program: StackProgram) -> None:
        missing = missing_space(program.needs_space) if program.needs_space else ""
        if missing:
            raise StackError(
                f"{program.name} cannot be started: {missing} Or set INTERLACE_STACK__HOME to another disk."
            )

    def _require_free(self, port: int, what: str, setting: str) -> None:
        if not port_is_free(port):
            raise StackError(
                f"Port {port} ({what}) is taken by another program. Stop that program, or set {setting} to a free port."
            )

    def _probe(self, name: str, state: StackState) -> Probe | None:
        api = self._settings.api
        probes: dict[str, Probe] = {
            "neo4j": lambda _: probe_neo4j(state),
            "redis": lambda _: probe_redis(state),
            "qdrant": lambda _: probe_qdrant(state),
            "api": lambda pid: probe_api(api.host, api.port, pid),
        }
        return probes.get(name)

    def _wait(self, program: StackProgram, probe: Probe | None, deadline: float) -> None:
        """Wait until a program's probe succeeds, or without one until it has run for ``startsecs``; give up early if it exits."""
        reason = "it has not been running for long enough"
        while time.monotonic() < deadline:
            supervised = self._supervisor.programs().get(program.name)
            if supervised is None or supervised.state in {"FATAL", "BACKOFF", "EXITED", "STOPPED"}:
                raise StackError(f"{program.name} ended while starting. {self._log_end(program.name)}")
            try:
                if probe is not None:
                    probe(supervised.pid)
                    return
                if supervised.state == "RUNNING":
                    return
            except NotReadyError as error:
                reason = str(error)
            time.sleep(_POLL_SECONDS)
        raise StackError(
            f"{program.name} was not ready within {_READY_SECONDS:.0f} s: {reason}. {self._log_end(program.name)} "
            "Other programs may keep the machine busy: stop them, and start again."
        )

    def _log_end(self, name: str) -> str:
        log = self._layout.log(name)
        try:
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-_LOG_LINES:]
        except FileNotFoundError:
            lines = []
        return f"The end of {log}: {' | '.join(lines) or 'nothing'}."

    def _undo(self) -> None:
        """Stop what this run has started; a second Ctrl-C does not interrupt that."""
        with signals_ignored():
            if self._supervisor_is_new:
                self._progress("stopping what was started")
                stop_everything(self._layout, timeout=DOWN_SECONDS)
                return
            for name in reversed(self._started):
                self._progress(f"stopping {name}")
                self._supervisor.stop_program(name)
