"""The process supervisor (supervisord) of a stack, controlled over XML-RPC on its private unix socket."""

import subprocess
import sys
import time
import xmlrpc.client
from dataclasses import dataclass
from typing import Any

from interlace.domain.errors import StackError
from interlace_stack.environment import system_environment
from interlace_stack.layout import Layout
from interlace_stack.processes import is_alive, process_of

_POLL_SECONDS = 0.1
_START_SECONDS = 20.0
_ALIVE = {"STARTING", "RUNNING", "BACKOFF"}


@dataclass(frozen=True, slots=True)
class SupervisedProgram:
    """The supervisor's view of one program.

    Args:
        name: the program.
        state: ``RUNNING``, ``STARTING``, ``BACKOFF``, ``STOPPING``, ``STOPPED``, ``EXITED``, ``FATAL`` or ``UNKNOWN``.
        pid: its process id; 0 if it does not run.
        since: when it entered this state, seconds since 1970.
    """

    name: str
    state: str
    pid: int
    since: float

    @property
    def alive(self) -> bool:
        """Whether the supervisor keeps it running."""
        return self.state in _ALIVE


class Supervisor:
    """The supervisor of one stack, running or not.

    Args:
        layout: where its socket, configuration and id file are.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def is_running(self) -> bool:
        """Return whether it answers."""
        try:
            self._call("getState")
        except (OSError, xmlrpc.client.Error):
            return False
        return True

    def start(self) -> None:
        """Start it in the background and wait until it answers; it starts no program by itself.

        Raises:
            StackError: it refuses its configuration or does not answer.
        """
        command = [sys.executable, "-m", "supervisor.supervisord", "-c", str(self._layout.supervisor_conf)]
        answer = subprocess.run(
            command,
            env=system_environment(),
            cwd=self._layout.run,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if answer.returncode != 0:
            raise StackError(f"The process supervisor did not start: {(answer.stderr or answer.stdout).strip()}")
        deadline = time.monotonic() + _START_SECONDS
        while not self.is_running():
            if time.monotonic() > deadline:
                raise StackError(
                    f"The process supervisor did not answer within {_START_SECONDS:.0f} s; see {self._layout.log('supervisord')}."
                )
            time.sleep(_POLL_SECONDS)

    def reload(self) -> None:
        """Load a changed configuration: programs that changed are stopped, to be started again; the others keep running."""
        ((added, changed, removed),) = self._call("reloadConfig")
        # The supervisor cannot restart a group with a new configuration: a changed group is removed and added.
        for name in [*changed, *removed]:
            self.stop_program(name)
            self._call("removeProcessGroup", name)
        for name in [*added, *changed]:
            self._call("addProcessGroup", name)

    def programs(self) -> dict[str, SupervisedProgram]:
        """Return the programs by name; none if the supervisor does not run."""
        try:
            answer = self._call("getAllProcessInfo")
        except (OSError, xmlrpc.client.Error):
            return {}
        return {
            info["name"]: SupervisedProgram(info["name"], info["statename"], info["pid"], float(info["start"]))
            for info in answer
        }

    def start_program(self, name: str) -> None:
        """Start a program without waiting until it is ready."""
        self._call("startProcess", name, False)

    def stop_program(self, name: str) -> None:
        """Stop a program and wait until it has ended; it is no error if it does not run."""
        try:
            self._call("stopProcess", name, True)
        except xmlrpc.client.Fault:
            return

    def kill_program(self, name: str) -> None:
        """Kill a program, which the supervisor then starts again; it is no error if it does not run."""
        try:
            self._call("signalProcess", name, "KILL")
        except xmlrpc.client.Fault:
            return

    def shutdown(self, *, timeout: float) -> bool:
        """Stop all programs in reverse order and then the supervisor; return whether all ended within ``timeout`` seconds."""
        # Looked up first: once it has ended, its id file is gone.
        supervisor = process_of(self._layout.supervisor_pid, str(self._layout.supervisor_conf))
        try:
            self._call("shutdown")
        except (OSError, xmlrpc.client.Error):
            return supervisor is None
        deadline = time.monotonic() + timeout
        while supervisor is not None and is_alive(supervisor):
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def _call(self, method: str, *arguments: Any) -> Any:
        # Imported late: `interlace --help` needs no supervisor.
        from supervisor.xmlrpc import SupervisorTransport

        transport = SupervisorTransport(None, None, f"unix://{self._layout.socket}")
        try:
            # The address is required but unused: the transport connects to the socket.
            proxy = xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport)
            return getattr(proxy.supervisor, method)(*arguments)
        finally:
            transport.close()
