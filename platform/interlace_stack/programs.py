"""The six programs of a stack: how each is started, on which port, and which words of its command line prove that it belongs to the stack.

The watchdog starts and stops with Neo4j. It is not one of the six: it cannot be started by name, and has no status of its own.
"""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from interlace.settings import Settings
from interlace_stack.fetch import jars_folder
from interlace_stack.launch import NEEDS_SPACE
from interlace_stack.layout import Layout
from interlace_stack.profiles import NEO4J_FLAGS, heap_mb, profile_of
from interlace_stack.state import StackState
from interlace_stack.tools import find_java, find_redis

SERVERS = ("redis", "qdrant", "neo4j")
APPS = ("api", "worker", "beat")
ALL = SERVERS + APPS
WATCHDOG = "watchdog"
# Neo4j and its page cache use parts of the Java runtime that are closed by default.
_JVM_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch", "java.base/java.util.concurrent")
_INITIAL_HEAP_MB = 640


@dataclass(frozen=True, slots=True)
class StackProgram:
    """One supervised program.

    Args:
        name: also the name of its log.
        command: absolute program and arguments; no secret among them.
        proof: words that only this stack's program has on its command line.
        port: the port it listens on; None if it has none.
        port_setting: the setting that changes the port.
        needs_space: the folder whose disk must have free space before it starts; None if it needs none.
    """

    name: str
    command: tuple[str, ...]
    proof: str
    port: int | None = None
    port_setting: str = ""
    needs_space: Path | None = None

    def launch_line(self, layout: Layout) -> str:
        """Return the supervisor's ``command=``: the launcher, then the program. Percent signs are doubled, as supervisord requires."""
        options = () if self.needs_space is None else (f"{NEEDS_SPACE}{self.needs_space}",)
        launcher = (sys.executable, "-m", "interlace_stack.launch", str(layout.run), self.name, *options)
        return shlex.join((*launcher, *self.command)).replace("%", "%%")


def programs(settings: Settings, layout: Layout, state: StackState, wanted: frozenset[str]) -> dict[str, StackProgram]:
    """Return the wanted programs in startup order; the watchdog comes last if Neo4j is among them.

    Raises:
        StackError: a tool that a wanted program needs is missing.
    """
    builders = {
        "redis": lambda: _redis(layout, state),
        "qdrant": lambda: _qdrant(layout, state),
        "neo4j": lambda: _neo4j(settings, layout, state),
        "api": lambda: _app("api", layout, port=settings.api.port),
        "worker": lambda: _app("worker", layout),
        "beat": lambda: _app("beat", layout),
    }
    # Only wanted programs are built, because building looks for their tools.
    found = {name: builders[name]() for name in ALL if name in wanted}
    return found | {WATCHDOG: _watchdog(layout)} if "neo4j" in wanted else found


def proofs(layout: Layout) -> dict[str, str]:
    """Return each program's proof; the tools that start the programs need not be installed."""
    return {
        # Redis replaces its command line with its name and address.
        "redis": "redis-server 127.0.0.1:",
        "qdrant": f"--data {layout.qdrant}",
        "neo4j": f"--home-dir={layout.neo4j}",
        **{name: _app_proof(name, layout) for name in APPS},
        WATCHDOG: " ".join(_watchdog_arguments(layout)),
    }


def needed_space(layout: Layout) -> dict[str, Path]:
    """Return the folders whose disks must have free space before a server starts, by server."""
    return {"qdrant": layout.qdrant, "neo4j": layout.neo4j}


def qdrant_key_file(layout: Layout) -> Path:
    """Return the private file from which Qdrant reads its API key."""
    return layout.run / "qdrant.key"


def redis_conf(layout: Layout) -> Path:
    """Return Redis' configuration."""
    return layout.run / "redis.conf"


def neo4j_conf(layout: Layout) -> Path:
    """Return Neo4j's configuration folder."""
    return layout.neo4j / "conf"


def neo4j_java(layout: Layout, *flags: str) -> tuple[str, ...]:
    """Return the beginning of a command that runs a class of Neo4j: the runtime, its flags and the class path."""
    # Java's archive of classes is for one class path, so two ways to one cache must give the same.
    jars = jars_folder(layout).resolve()
    # The server's folder comes first, so that its classes win.
    return (str(find_java()), *flags, "-cp", f"{jars / 'lib'}/*:{jars / 'plugins'}/*")


def port_setting(name: str) -> str:
    """Return the setting that changes a server's port, for messages."""
    return f"`{name}` in INTERLACE_STACK__PORTS"


def _redis(layout: Layout, state: StackState) -> StackProgram:
    return StackProgram(
        name="redis",
        command=(str(find_redis()), str(redis_conf(layout))),
        proof=proofs(layout)["redis"],
        port=state.redis_port,
        port_setting=port_setting("redis"),
    )


def _qdrant(layout: Layout, state: StackState) -> StackProgram:
    options = {
        "--host": "127.0.0.1",
        "--port": str(state.qdrant_port),
        "--data": str(layout.qdrant),
        "--api-key-file": str(qdrant_key_file(layout)),
    }
    return StackProgram(
        name="qdrant",
        command=(sys.executable, "-m", "interlace_edge", *(word for option in options.items() for word in option)),
        proof=proofs(layout)["qdrant"],
        port=state.qdrant_port,
        port_setting=port_setting("qdrant"),
        needs_space=needed_space(layout)["qdrant"],
    )


def _neo4j(settings: Settings, layout: Layout, state: StackState) -> StackProgram:
    heap = heap_mb(settings.stack)
    flags = (
        f"-Xms{min(_INITIAL_HEAP_MB, heap)}m",
        f"-Xmx{heap}m",
        # A server that is out of memory is useless but alive; once it exits, the supervisor restarts it.
        "-XX:+ExitOnOutOfMemoryError",
        "-Dfile.encoding=UTF-8",
        "-Dio.netty.tryReflectionSetAccessible=true",
        *(f"--add-opens={package}=ALL-UNNAMED" for package in _JVM_OPENS),
        *NEO4J_FLAGS[profile_of(settings.stack)],
    )
    folders = (f"--home-dir={layout.neo4j}", f"--config-dir={neo4j_conf(layout)}", "--console-mode")
    return StackProgram(
        name="neo4j",
        command=(*neo4j_java(layout, *flags), "org.neo4j.server.CommunityEntryPoint", *folders),
        proof=proofs(layout)["neo4j"],
        port=state.bolt_port,
        port_setting=port_setting("bolt"),
        needs_space=needed_space(layout)["neo4j"],
    )


def _watchdog(layout: Layout) -> StackProgram:
    return StackProgram(
        name=WATCHDOG,
        command=(sys.executable, "-m", *_watchdog_arguments(layout)),
        proof=proofs(layout)[WATCHDOG],
    )


def _watchdog_arguments(layout: Layout) -> tuple[str, ...]:
    return ("interlace_stack.watchdog", str(layout.home), layout.name)


def _app(name: str, layout: Layout, port: int | None = None) -> StackProgram:
    # Python ignores unknown -X options, but they are on the command line: the option proves which stack the process belongs to.
    return StackProgram(
        name=name,
        command=(sys.executable, "-X", f"stack={layout.root}", "-m", "interlace.cli.main", name),
        proof=_app_proof(name, layout),
        port=port,
        port_setting="INTERLACE_API__PORT" if port else "",
    )


def _app_proof(name: str, layout: Layout) -> str:
    return f"stack={layout.root} -m interlace.cli.main {name}"
