"""Process identity: the recorded id and start time, and the words on the command line that prove that a process belongs to the stack."""

import json
import os
import signal
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

# Clock adjustments shift the start time that the system computes.
_START_TOLERANCE_SECONDS = 2.0
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class ProcessRecord:
    """A started process.

    Args:
        pid: its id, which is also the id of its process group.
        started: when it started, seconds since 1970.
    """

    pid: int
    started: float


def record_self(run: Path, name: str) -> None:
    """Write this process' record to ``run/name.pid``."""
    record = ProcessRecord(os.getpid(), psutil.Process().create_time())
    (run / f"{name}.pid").write_text(json.dumps(asdict(record)), encoding="ascii")


def read_record(run: Path, name: str) -> ProcessRecord | None:
    """Return the record of a process, or None if there is none or it is damaged."""
    try:
        return ProcessRecord(**json.loads((run / f"{name}.pid").read_text(encoding="ascii")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def command_line(process: psutil.Process) -> str:
    """Return a process' command line, or an empty string if the process is gone or belongs to another user."""
    try:
        return " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return ""


def members(record: ProcessRecord, proof: str) -> list[psutil.Process]:
    """Return the living processes of a recorded group that belong to the stack, the leader first.

    Args:
        record: the group's leader as started. A different start time means that the id belongs to a new process; then nothing is returned.
        proof: words that must be on the command line.
    """
    found = []
    # The group and not the tree: a child whose parent has died belongs to process 1, but keeps its group.
    for process in psutil.process_iter():
        try:
            is_leader = process.pid == record.pid
            if is_leader and abs(process.create_time() - record.started) > _START_TOLERANCE_SECONDS:
                return []
            if (is_leader or os.getpgid(process.pid) == record.pid) and proof in command_line(process):
                found.append(process)
        except (psutil.NoSuchProcess, ProcessLookupError):
            continue
    return sorted(found, key=lambda process: process.pid != record.pid)


def process_of(pid_file: Path, proof: str) -> psutil.Process | None:
    """Return the living process whose id is in a plain id file, if ``proof`` is on its command line."""
    try:
        process = psutil.Process(int(pid_file.read_text(encoding="ascii")))
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
        return None
    return process if proof in command_line(process) else None


def family(pid: int) -> list[psutil.Process]:
    """Return a process and its children; raises ``psutil.Error`` if it is gone."""
    leader = psutil.Process(pid)
    return [leader, *leader.children(recursive=True)]


def listens(pid: int, port: int) -> bool:
    """Return whether a process or one of its children accepts connections on a port."""
    try:
        sockets = (socket for process in family(pid) for socket in process.net_connections("tcp"))
        return any(each.status == psutil.CONN_LISTEN and each.laddr[1:] == (port,) for each in sockets)
    except psutil.Error:
        return False


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process is still running; a zombie, which its parent has not reaped yet, is not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def end(processes: Iterable[psutil.Process], *, timeout: float) -> None:
    """Ask the first process to exit, and kill those that still run after ``timeout`` seconds."""
    waiting = list(processes)
    # The leader ends its own children in order; only if it does not are they killed.
    for process in waiting[:1]:
        _signal(process, signal.SIGTERM)
    waiting = _wait(waiting, timeout)
    for process in waiting:
        _signal(process, signal.SIGKILL)
    _wait(waiting, timeout)


def _signal(process: psutil.Process, number: signal.Signals) -> None:
    try:
        process.send_signal(number)
    except psutil.NoSuchProcess:
        return


def _wait(processes: list[psutil.Process], timeout: float) -> list[psutil.Process]:
    deadline = time.monotonic() + timeout
    alive = processes
    while alive and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
        alive = [process for process in alive if is_alive(process)]
    return alive
