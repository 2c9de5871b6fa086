"""The state of each program of the stack."""

import time
from dataclasses import dataclass

import psutil

from interlace.settings import Settings
from interlace_stack.layout import layout_of
from interlace_stack.processes import family
from interlace_stack.programs import ALL
from interlace_stack.state import read_state
from interlace_stack.supervision import SupervisedProgram, Supervisor


@dataclass(frozen=True, slots=True)
class ProgramStatus:
    """One program.

    Args:
        name: for example ``neo4j``.
        state: in the supervisor's terms, ``STOPPED`` if there is no supervisor.
        pid: process id; None if it does not run.
        port: the port it listens on; None if it has none.
        uptime: seconds since it was started; None if it does not run.
        memory: resident bytes of it and its children; None if it does not run.
    """

    name: str
    state: str
    pid: int | None = None
    port: int | None = None
    uptime: float | None = None
    memory: int | None = None


def status(settings: Settings) -> list[ProgramStatus]:
    """Return the state of every program in the order in which they start.

    Raises:
        StackError: ``stack.json`` is damaged or of another format.
    """
    layout = layout_of(settings)
    state = read_state(layout)
    ports = {} if state is None else {
        "redis": state.redis_port,
        "qdrant": state.qdrant_port,
        "neo4j": state.bolt_port,
        "api": state.api_port,
    }  # fmt: skip
    supervised = Supervisor(layout).programs()
    return [_status(name, supervised.get(name), ports.get(name)) for name in ALL]


def _status(name: str, program: SupervisedProgram | None, port: int | None) -> ProgramStatus:
    if program is None:
        return ProgramStatus(name, "STOPPED", port=port)
    if not program.pid:
        return ProgramStatus(name, program.state, port=port)
    return ProgramStatus(name, program.state, program.pid, port, time.time() - program.since, _memory(program.pid))


def _memory(pid: int) -> int | None:
    try:
        processes = family(pid)
    except psutil.Error:
        return None
    # Pages that a parent shares with its children count for each of them.
    total = 0
    for process in processes:
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue
    return total
